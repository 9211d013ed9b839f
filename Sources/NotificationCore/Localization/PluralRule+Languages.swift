extension PluralRule {
    /// The languages of each rule, by their tags in canonical form; any other counts as Japanese.
    private static let languages: [(PluralRule, String)] = [
        (
            .english,
            """
            af an asa ast az bal bem bez bg brx ce cgg chr ckb da de dv ee el en eo et eu fi fo \
            fur fy gl gsw ha haw hu ia io jgo ji jmc ka kaj kcg kk kkj kl ks ksb ku ky lb lg lij \
            mas mgo ml mn mr nah nb nd ne nl nn nnh no nr ny nyn om or os pap ps rm rof rwk saq sc \
            sd sdh seh sn so sq ss ssy st sv sw syr ta te teo tig tk tn tr ts ug ur uz ve vo vun \
            wae xh xog yi
            """
        ),
        (
            .hindi,
            "ak am as bho bn csw doi fa ff gu guw hi hy kab kn ln mg nso pa pcm si ti wa zu"
        ),
        (
            .italian,
            """
            ca es it lld pt-ao pt-ch pt-cv pt-fr pt-gq pt-gw pt-lu pt-mo pt-mz pt-pt pt-st pt-tl \
            scn vec
            """
        ),
        (.french, "fr ht pt"),
        (.hebrew, "he iu iw naq sat se sma smi smj smn sms"),
        (.colognian, "blo ksh lag"),
        (.czech, "cs sk"),
        (.romanian, "mo ro"),
        (.tachelhit, "shi"),
        (.tamazight, "tzm"),
        (.filipino, "ceb fil tl"),
        (.icelandic, "is mk"),
        (.serbian, "bs hr sh sr"),
        (.russian, "be ru uk"),
        (.polish, "pl"),
        (.lithuanian, "lt"),
        (.latvian, "lv prg"),
        (.slovenian, "dsb hsb sl"),
        (.arabic, "ar ars"),
        (.welsh, "cy"),
        (.irish, "ga"),
        (.gaelic, "gd"),
        (.manx, "gv"),
        (.breton, "br"),
        (.cornish, "kw"),
        (.maltese, "mt"),
    ]

    /// The rules by language.
    ///
    /// Bounded: the keys that are looked up are parts of a tag.
    static let rules: [String: PluralRule] = {
        // Bounded: as above.
        var rules: [String: PluralRule] = [:]
        for (rule, tags) in languages {
            for tag in tags.split(whereSeparator: \.isWhitespace) { rules[String(tag)] = rule }
        }
        return rules
    }()
}
