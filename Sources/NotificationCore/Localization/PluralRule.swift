/// Which form of a text a number takes: the categories of CLDR.
package enum PluralCategory: String, Hashable, Sendable, CaseIterable {
    /// For zero, in some languages.
    case zero
    /// For one, and in some languages for others, such as 21.
    case one
    /// For two, in some languages.
    case two
    case few
    case many
    /// All other numbers; every language has it.
    case other
}

/// How a language distinguishes numbers: CLDR's cardinal rules, for whole numbers.
///
/// A count is never a fraction and never written in a compact form such as `1M`, so the rules for
/// those are not here. Each rule is named after a language that has it; `PluralRuleTests` compares
/// the rules with CLDR.
package enum PluralRule: Hashable, Sendable, CaseIterable {
    /// All numbers are alike; also the rule of unknown languages.
    case japanese
    case english
    /// Zero and one together.
    case hindi
    /// As ``english``, and whole millions.
    case italian
    /// As ``hindi``, and whole millions.
    case french
    /// One, two.
    case hebrew
    /// Zero, one.
    case colognian
    /// One, and two to four.
    case czech
    /// One; zero and numbers that end in 1 to 19.
    case romanian
    /// Zero and one together, and two to ten.
    case tachelhit
    /// Zero and one together with 11 to 99.
    case tamazight
    /// All numbers that do not end in 4, 6 or 9.
    case filipino
    /// Numbers that end in 1, but not in 11.
    case icelandic
    /// As ``icelandic``; and numbers that end in 2 to 4, but not in 12 to 14.
    case serbian
    /// As ``serbian``, with another name for the rest.
    case russian
    /// One; as ``russian`` for the others.
    case polish
    /// Numbers that end in 1, and in 2 to 9, but not in 11 to 19.
    case lithuanian
    /// Numbers that end in 0 or in 11 to 19; as ``icelandic``.
    case latvian
    /// Numbers that end in 01, 02, and in 03 and 04.
    case slovenian
    /// Zero, one, two, numbers that end in 03 to 10, and in 11 to 99.
    case arabic
    /// Zero, one, two, three, six.
    case welsh
    /// One, two, three to six, seven to ten.
    case irish
    /// 1 and 11, 2 and 12, the others up to 19.
    case gaelic
    /// Numbers that end in 1, in 2, and in 00, 20, 40, 60, 80.
    case manx
    /// Numbers that end in 1, in 2, and in 3, 4, 9, each without some tens; whole millions.
    case breton
    /// By its scores.
    case cornish
    /// One, two; zero and numbers that end in 03 to 10; numbers that end in 11 to 19.
    case maltese

    /// Finds the rule of a language: the rule of its tag or else of the tag's longest shorter form.
    ///
    /// - Complexity: O(parts of the tag).
    package init(language tag: String) {
        let rules = LanguageTag.lookup(of: tag).lazy.compactMap { Self.rules[$0] }
        self = rules.first ?? .japanese
    }

    /// Gives the category of a number.
    ///
    /// - Complexity: O(1).
    package func category(of number: UInt64) -> PluralCategory {
        switch self {
        case .japanese: .other
        case .english: number == 1 ? .one : .other
        case .hindi: number <= 1 ? .one : .other
        case .italian: number == 1 ? .one : number.isWholeMillions ? .many : .other
        case .french: number <= 1 ? .one : number.isWholeMillions ? .many : .other
        case .hebrew: number == 1 ? .one : number == 2 ? .two : .other
        case .colognian: number == 0 ? .zero : number == 1 ? .one : .other
        case .czech: number == 1 ? .one : (2...4).contains(number) ? .few : .other
        case .tachelhit: number <= 1 ? .one : number <= 10 ? .few : .other
        case .tamazight: number <= 1 || (11...99).contains(number) ? .one : .other
        case .welsh: welsh(number)
        case .irish: irish(number)
        case .gaelic: gaelic(number)
        case .romanian, .filipino, .icelandic, .serbian, .russian, .polish, .lithuanian, .latvian,
            .slovenian, .arabic, .manx, .breton, .cornish, .maltese:
            category(of: number, endingIn: number % 10, number % 100)
        }
    }

    /// Gives the category by a number's last digit and its last two.
    private func category(
        of number: UInt64,
        endingIn ones: UInt64,
        _ tens: UInt64
    ) -> PluralCategory {
        // The rules for a last digit of 1 to 4 do not apply to numbers that end in 11 to 14.
        let isOne = ones == 1 && tens != 11
        let isFew = (2...4).contains(ones) && !(12...14).contains(tens)
        let isTeen = (11...19).contains(tens)
        return switch self {
        case .romanian:
            number == 1 ? .one : number == 0 || (1...19).contains(tens) ? .few : .other
        case .filipino: [4, 6, 9].contains(ones) ? .other : .one
        case .icelandic: isOne ? .one : .other
        case .serbian: isOne ? .one : isFew ? .few : .other
        case .russian: isOne ? .one : isFew ? .few : .many
        case .polish: number == 1 ? .one : isFew ? .few : .many
        case .lithuanian: isTeen || ones == 0 ? .other : ones == 1 ? .one : .few
        case .latvian: isTeen || ones == 0 ? .zero : ones == 1 ? .one : .other
        case .slovenian:
            tens == 1 ? .one : tens == 2 ? .two : (3...4).contains(tens) ? .few : .other
        case .arabic: arabic(number, tens)
        case .manx: ones == 1 ? .one : ones == 2 ? .two : tens % 20 == 0 ? .few : .other
        case .breton: breton(number, ones, tens)
        case .cornish: cornish(number, tens)
        case .maltese: maltese(number, tens)
        default: .other
        }
    }

    private func welsh(_ number: UInt64) -> PluralCategory {
        switch number {
        case 0: .zero
        case 1: .one
        case 2: .two
        case 3: .few
        case 6: .many
        default: .other
        }
    }

    private func irish(_ number: UInt64) -> PluralCategory {
        switch number {
        case 1: .one
        case 2: .two
        case 3...6: .few
        case 7...10: .many
        default: .other
        }
    }

    private func gaelic(_ number: UInt64) -> PluralCategory {
        switch number {
        case 1, 11: .one
        case 2, 12: .two
        case 3...19: .few
        default: .other
        }
    }

    private func arabic(_ number: UInt64, _ tens: UInt64) -> PluralCategory {
        switch (number, tens) {
        case (0, _): .zero
        case (1, _): .one
        case (2, _): .two
        case (_, 3...10): .few
        case (_, 11...99): .many
        default: .other
        }
    }

    private func breton(_ number: UInt64, _ ones: UInt64, _ tens: UInt64) -> PluralCategory {
        if number.isWholeMillions { return .many }
        let decade = tens / 10
        return switch ones {
        case 1 where ![1, 7, 9].contains(decade): .one
        case 2 where ![1, 7, 9].contains(decade): .two
        case 3, 4, 9: [1, 7, 9].contains(decade) ? .other : .few
        default: .other
        }
    }

    private func cornish(_ number: UInt64, _ tens: UInt64) -> PluralCategory {
        if number <= 1 { return number == 0 ? .zero : .one }
        let thousands = number % 1_000 == 0 ? number % 100_000 / 1_000 : 0
        let isTwo = (1...20).contains(thousands) || [40, 60, 80].contains(thousands)
        if isTwo || number % 1_000_000 == 100_000 { return .two }
        return switch tens % 20 {
        case 1: .many
        case 2: .two
        case 3: .few
        default: .other
        }
    }

    private func maltese(_ number: UInt64, _ tens: UInt64) -> PluralCategory {
        switch (number, tens) {
        case (0, _), (_, 3...10): .few
        case (1, _): .one
        case (2, _): .two
        case (_, 11...19): .many
        default: .other
        }
    }
}

extension UInt64 {
    fileprivate var isWholeMillions: Bool { self != 0 && self % 1_000_000 == 0 }
}
