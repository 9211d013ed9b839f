// Made by plural-vectors.py from CLDR, as Babel 2.18.0 has it. Do not edit.

/// CLDR's categories of numbers: the languages that say the same, and for each number of
/// `PluralRuleTests.numbers` in turn a category, as its first letter (`x` for other) and how many
/// numbers in a row have it.
enum PluralVectors {
    static let all: [(languages: String, categories: String)] = [
        (
            """
            aa ab agq ann apc arn ba bas bew bgc bgn blt bm bo bss byn cad cch ccp cho cic co \
            cop cu cv dav dje dua dyo dz ebu ewo frr gaa gez gn guz hnj id ie ig ii ja jbo jv \
            kaa kam kde kea ken kgp khq ki kln km ko kok kpe ksf kxv la lkt lmo lo lrc ltg lu \
            luo luy mai mdf mer mfe mgh mhn mi mic mni moh ms mua mus my myv mzn nds nmg nqo nus \
            nv oc osa pis qu quc raj rhg rif rn rw sa sah sbp ses sg shn sid skr su szl tg th to \
            tok tpi trv trw tt twq tyv vai vi vmw wal wbp wo xnr yav yo yrl yue za zgh zh
            """,
            """
            x1234
            """
        ),
        (
            """
            af an asa ast az bal bem bez bg brx ce cgg chr ckb da de dv ee el en eo et eu fi fo \
            fur fy gl gsw ha haw hu ia io jgo jmc ka kaj kcg kk kkj kl ks ksb ku ky lb lg lij \
            mas mgo ml mn mr nb nd ne nl nn nnh no nr ny nyn om or os pap ps rm rof rwk saq sc \
            sd sdh seh sn so sq ss ssy st sv sw syr ta te teo tig tk tn tr ts ug ur uz ve vo vun \
            wae xh xog yi
            """,
            """
            x1 o1 x1232
            """
        ),
        (
            """
            ak am as bho bn csw doi fa ff gu hi hy kab kn ln mg nso pa pcm si ti wa zu
            """,
            """
            o2 x1232
            """
        ),
        (
            """
            ar
            """,
            """
            z1 o1 t1 f8 m89 x3 f8 m89 x3 f8 m89 x3 f8 m89 x3 f8 m89 x3 f8 m89 x3 f8 m89 x3 f8 \
            m89 x3 f8 m89 x3 f8 m89 x234
            """
        ),
        (
            """
            be ru uk
            """,
            """
            m1 o1 f3 m16 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 \
            o1 f3 m16 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 \
            f3 m16 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 \
            m16 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 \
            m16 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 \
            m16 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 \
            m16 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 \
            m16 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 \
            m16 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 \
            m16 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m6 o1 f3 m222 o17
            """
        ),
        (
            """
            blo ksh lag
            """,
            """
            z1 o1 x1232
            """
        ),
        (
            """
            br
            """,
            """
            x1 o1 t1 f2 x4 f1 x11 o1 t1 f2 x4 f1 x1 o1 t1 f2 x4 f1 x1 o1 t1 f2 x4 f1 x1 o1 t1 f2 \
            x4 f1 x1 o1 t1 f2 x4 f1 x11 o1 t1 f2 x4 f1 x11 o1 t1 f2 x4 f1 x11 o1 t1 f2 x4 f1 x1 \
            o1 t1 f2 x4 f1 x1 o1 t1 f2 x4 f1 x1 o1 t1 f2 x4 f1 x1 o1 t1 f2 x4 f1 x11 o1 t1 f2 x4 \
            f1 x11 o1 t1 f2 x4 f1 x11 o1 t1 f2 x4 f1 x1 o1 t1 f2 x4 f1 x1 o1 t1 f2 x4 f1 x1 o1 \
            t1 f2 x4 f1 x1 o1 t1 f2 x4 f1 x11 o1 t1 f2 x4 f1 x11 o1 t1 f2 x4 f1 x11 o1 t1 f2 x4 \
            f1 x1 o1 t1 f2 x4 f1 x1 o1 t1 f2 x4 f1 x1 o1 t1 f2 x4 f1 x1 o1 t1 f2 x4 f1 x11 o1 t1 \
            f2 x4 f1 x11 o1 t1 f2 x4 f1 x11 o1 t1 f2 x4 f1 x1 o1 t1 f2 x4 f1 x1 o1 t1 f2 x4 f1 \
            x1 o1 t1 f2 x4 f1 x1 o1 t1 f2 x4 f1 x11 o1 t1 f2 x4 f1 x11 o1 t1 f2 x4 f1 x11 o1 t1 \
            f2 x4 f1 x1 o1 t1 f2 x4 f1 x1 o1 t1 f2 x4 f1 x1 o1 t1 f2 x4 f1 x1 o1 t1 f2 x4 f1 x11 \
            o1 t1 f2 x4 f1 x11 o1 t1 f2 x4 f1 x11 o1 t1 f2 x4 f1 x1 o1 t1 f2 x4 f1 x1 o1 t1 f2 \
            x4 f1 x1 o1 t1 f2 x4 f1 x1 o1 t1 f2 x4 f1 x11 o1 t1 f2 x4 f1 x11 o1 t1 f2 x4 f1 x11 \
            o1 t1 f2 x4 f1 x1 o1 t1 f2 x4 f1 x1 o1 t1 f2 x4 f1 x1 o1 t1 f2 x4 f1 x1 o1 t1 f2 x4 \
            f1 x11 o1 t1 f2 x4 f1 x11 o1 t1 f2 x4 f1 x11 o1 t1 f2 x4 f1 x1 o1 t1 f2 x4 f1 x1 o1 \
            t1 f2 x4 f1 x1 o1 t1 f2 x4 f1 x1 o1 t1 f2 x4 f1 x11 o1 t1 f2 x4 f1 x11 o1 t1 f2 x4 \
            f1 x11 o1 t1 f2 x4 f1 x1 o1 t1 f2 x4 f1 x1 o1 t1 f2 x4 f1 x1 o1 t1 f2 x4 f1 x1 o1 t1 \
            f2 x4 f1 x11 o1 t1 f2 x4 f1 x110 m101 x2 m14 o17
            """
        ),
        (
            """
            bs hr sr
            """,
            """
            x1 o1 f3 x16 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 \
            o1 f3 x16 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 \
            f3 x16 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 \
            x16 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 \
            x16 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 \
            x16 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 \
            x16 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 \
            x16 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 \
            x16 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 \
            x16 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x6 o1 f3 x222 o17
            """
        ),
        (
            """
            ca es it lld pt-AO pt-CH pt-CV pt-GQ pt-GW pt-LU pt-MO pt-MZ pt-PT pt-ST pt-TL scn \
            vec
            """,
            """
            x1 o1 x1098 m101 x2 m14 x17
            """
        ),
        (
            """
            ceb fil
            """,
            """
            o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 \
            o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 \
            o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 \
            o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 \
            o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 \
            o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 \
            o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 \
            o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 \
            o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 \
            o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 \
            o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 \
            o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 \
            o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 \
            o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 \
            o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 \
            o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 \
            o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 \
            o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 \
            o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 \
            o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 \
            o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 \
            o4 x1 o1 x1 o2 x1 o4 x1 o1 x1 o2 x1 o234
            """
        ),
        (
            """
            cs sk
            """,
            """
            x1 o1 f3 x1229
            """
        ),
        (
            """
            cy
            """,
            """
            z1 o1 t1 f1 x2 m1 x1227
            """
        ),
        (
            """
            dsb hsb sl
            """,
            """
            x1 o1 t1 f2 x96 o1 t1 f2 x96 o1 t1 f2 x96 o1 t1 f2 x96 o1 t1 f2 x96 o1 t1 f2 x96 o1 \
            t1 f2 x96 o1 t1 f2 x96 o1 t1 f2 x96 o1 t1 f2 x312 o17
            """
        ),
        (
            """
            fr ht pt
            """,
            """
            o2 x1098 m101 x2 m14 x17
            """
        ),
        (
            """
            ga
            """,
            """
            x1 o1 t1 f4 m4 x1223
            """
        ),
        (
            """
            gd
            """,
            """
            x1 o1 t1 f8 o1 t1 f7 x1214
            """
        ),
        (
            """
            gv
            """,
            """
            f1 o1 t1 x8 o1 t1 x7 f1 o1 t1 x8 o1 t1 x7 f1 o1 t1 x8 o1 t1 x7 f1 o1 t1 x8 o1 t1 x7 \
            f1 o1 t1 x8 o1 t1 x7 f1 o1 t1 x8 o1 t1 x7 f1 o1 t1 x8 o1 t1 x7 f1 o1 t1 x8 o1 t1 x7 \
            f1 o1 t1 x8 o1 t1 x7 f1 o1 t1 x8 o1 t1 x7 f1 o1 t1 x8 o1 t1 x7 f1 o1 t1 x8 o1 t1 x7 \
            f1 o1 t1 x8 o1 t1 x7 f1 o1 t1 x8 o1 t1 x7 f1 o1 t1 x8 o1 t1 x7 f1 o1 t1 x8 o1 t1 x7 \
            f1 o1 t1 x8 o1 t1 x7 f1 o1 t1 x8 o1 t1 x7 f1 o1 t1 x8 o1 t1 x7 f1 o1 t1 x8 o1 t1 x7 \
            f1 o1 t1 x8 o1 t1 x7 f1 o1 t1 x8 o1 t1 x7 f1 o1 t1 x8 o1 t1 x7 f1 o1 t1 x8 o1 t1 x7 \
            f1 o1 t1 x8 o1 t1 x7 f1 o1 t1 x8 o1 t1 x7 f1 o1 t1 x8 o1 t1 x7 f1 o1 t1 x8 o1 t1 x7 \
            f1 o1 t1 x8 o1 t1 x7 f1 o1 t1 x8 o1 t1 x7 f1 o1 t1 x8 o1 t1 x7 f1 o1 t1 x8 o1 t1 x7 \
            f1 o1 t1 x8 o1 t1 x7 f1 o1 t1 x8 o1 t1 x7 f1 o1 t1 x8 o1 t1 x7 f1 o1 t1 x8 o1 t1 x7 \
            f1 o1 t1 x8 o1 t1 x7 f1 o1 t1 x8 o1 t1 x7 f1 o1 t1 x8 o1 t1 x7 f1 o1 t1 x8 o1 t1 x7 \
            f1 o1 t1 x8 o1 t1 x7 f1 o1 t1 x8 o1 t1 x7 f1 o1 t1 x8 o1 t1 x7 f1 o1 t1 x8 o1 t1 x7 \
            f1 o1 t1 x8 o1 t1 x7 f1 o1 t1 x8 o1 t1 x7 f1 o1 t1 x8 o1 t1 x7 f1 o1 t1 x8 o1 t1 x7 \
            f1 o1 t1 x8 o1 t1 x7 f1 o1 t1 x8 o1 t1 x7 f217 o17
            """
        ),
        (
            """
            he iu naq sat se sma smj smn sms
            """,
            """
            x1 o1 t1 x1231
            """
        ),
        (
            """
            is mk
            """,
            """
            x1 o1 x19 o1 x9 o1 x9 o1 x9 o1 x9 o1 x9 o1 x9 o1 x9 o1 x9 o1 x19 o1 x9 o1 x9 o1 x9 \
            o1 x9 o1 x9 o1 x9 o1 x9 o1 x9 o1 x19 o1 x9 o1 x9 o1 x9 o1 x9 o1 x9 o1 x9 o1 x9 o1 x9 \
            o1 x19 o1 x9 o1 x9 o1 x9 o1 x9 o1 x9 o1 x9 o1 x9 o1 x9 o1 x19 o1 x9 o1 x9 o1 x9 o1 \
            x9 o1 x9 o1 x9 o1 x9 o1 x9 o1 x19 o1 x9 o1 x9 o1 x9 o1 x9 o1 x9 o1 x9 o1 x9 o1 x9 o1 \
            x19 o1 x9 o1 x9 o1 x9 o1 x9 o1 x9 o1 x9 o1 x9 o1 x9 o1 x19 o1 x9 o1 x9 o1 x9 o1 x9 \
            o1 x9 o1 x9 o1 x9 o1 x9 o1 x19 o1 x9 o1 x9 o1 x9 o1 x9 o1 x9 o1 x9 o1 x9 o1 x9 o1 \
            x19 o1 x9 o1 x9 o1 x9 o1 x9 o1 x9 o1 x9 o1 x9 o1 x225 o17
            """
        ),
        (
            """
            kw
            """,
            """
            z1 o1 t1 f1 x17 m1 t1 f1 x17 m1 t1 f1 x17 m1 t1 f1 x17 m1 t1 f1 x17 m1 t1 f1 x17 m1 \
            t1 f1 x17 m1 t1 f1 x17 m1 t1 f1 x17 m1 t1 f1 x17 m1 t1 f1 x17 m1 t1 f1 x17 m1 t1 f1 \
            x17 m1 t1 f1 x17 m1 t1 f1 x17 m1 t1 f1 x17 m1 t1 f1 x17 m1 t1 f1 x17 m1 t1 f1 x17 m1 \
            t1 f1 x17 m1 t1 f1 x17 m1 t1 f1 x17 m1 t1 f1 x17 m1 t1 f1 x17 m1 t1 f1 x17 m1 t1 f1 \
            x17 m1 t1 f1 x17 m1 t1 f1 x17 m1 t1 f1 x17 m1 t1 f1 x17 m1 t1 f1 x17 m1 t1 f1 x17 m1 \
            t1 f1 x17 m1 t1 f1 x17 m1 t1 f1 x17 m1 t1 f1 x17 m1 t1 f1 x17 m1 t1 f1 x17 m1 t1 f1 \
            x17 m1 t1 f1 x17 m1 t1 f1 x17 m1 t1 f1 x17 m1 t1 f1 x17 m1 t1 f1 x17 m1 t1 f1 x17 m1 \
            t1 f1 x17 m1 t1 f1 x17 m1 t1 f1 x17 m1 t1 f1 x17 m1 t1 f1 x16 t20 x19 t1 x19 t1 x19 \
            t1 x19 t1 x101 t2 x14 m17
            """
        ),
        (
            """
            lt
            """,
            """
            x1 o1 f8 x11 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 \
            o1 f8 x11 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 \
            f8 x11 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 \
            x11 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 \
            x11 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 \
            x11 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 \
            x11 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 \
            x11 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 \
            x11 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 \
            x11 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x1 o1 f8 x217 o17
            """
        ),
        (
            """
            lv prg
            """,
            """
            z1 o1 x8 z11 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 \
            o1 x8 z11 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 \
            x8 z11 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 \
            z11 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 \
            z11 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 \
            z11 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 \
            z11 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 \
            z11 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 \
            z11 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 \
            z11 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z1 o1 x8 z217 o17
            """
        ),
        (
            """
            mt
            """,
            """
            f1 o1 t1 f8 m9 x83 f8 m9 x83 f8 m9 x83 f8 m9 x83 f8 m9 x83 f8 m9 x83 f8 m9 x83 f8 m9 \
            x83 f8 m9 x83 f8 m9 x314
            """
        ),
        (
            """
            pl
            """,
            """
            m1 o1 f3 m17 f3 m7 f3 m7 f3 m7 f3 m7 f3 m7 f3 m7 f3 m7 f3 m7 f3 m17 f3 m7 f3 m7 f3 \
            m7 f3 m7 f3 m7 f3 m7 f3 m7 f3 m7 f3 m17 f3 m7 f3 m7 f3 m7 f3 m7 f3 m7 f3 m7 f3 m7 f3 \
            m7 f3 m17 f3 m7 f3 m7 f3 m7 f3 m7 f3 m7 f3 m7 f3 m7 f3 m7 f3 m17 f3 m7 f3 m7 f3 m7 \
            f3 m7 f3 m7 f3 m7 f3 m7 f3 m7 f3 m17 f3 m7 f3 m7 f3 m7 f3 m7 f3 m7 f3 m7 f3 m7 f3 m7 \
            f3 m17 f3 m7 f3 m7 f3 m7 f3 m7 f3 m7 f3 m7 f3 m7 f3 m7 f3 m17 f3 m7 f3 m7 f3 m7 f3 \
            m7 f3 m7 f3 m7 f3 m7 f3 m7 f3 m17 f3 m7 f3 m7 f3 m7 f3 m7 f3 m7 f3 m7 f3 m7 f3 m7 f3 \
            m17 f3 m7 f3 m7 f3 m7 f3 m7 f3 m7 f3 m7 f3 m7 f3 m239
            """
        ),
        (
            """
            ro
            """,
            """
            f1 o1 f18 x81 f19 x81 f19 x81 f19 x81 f19 x81 f19 x81 f19 x81 f19 x81 f19 x81 f19 \
            x297 f17
            """
        ),
        (
            """
            shi
            """,
            """
            o2 f9 x1223
            """
        ),
        (
            """
            tzm
            """,
            """
            o2 x9 o89 x1134
            """
        ),
    ]
}
