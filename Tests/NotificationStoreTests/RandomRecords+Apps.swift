internal import NotificationCore
internal import TestSupport

@testable internal import NotificationRecords
@testable internal import NotificationStore

extension RandomRecords {
    mutating func prompt() -> PromptRecord {
        var record = PromptRecord(
            center: number(),
            prompt: AuthorizationPrompt(
                kind: choice(AuthorizationPrompt.Kind.allCases),
                options: AuthorizationOptions(rawValue: number())
            ),
            openedAt: WallInstant(nanoseconds: number())
        )
        record.isOpen = choice([true, false])
        return record
    }

    mutating func registration() throws -> RegistrationRecord {
        var record = RegistrationRecord(
            number: number(),
            token: try DeviceToken((0..<DeviceToken.byteCount).map { _ in number() }),
            environment: choice(PushEnvironment.allCases),
            registeredAt: WallInstant(nanoseconds: number())
        )
        record.tags = (0..<choice([0, 1, 3])).map { _ in text() }
        return record
    }

    mutating func backgroundPush() -> BackgroundPushRecord {
        var record = BackgroundPushRecord(
            apnsID: text(),
            collapseIdentifier: text(),
            end: maybe {
                $0.choice([
                    .elapsed(ElapsedInstant(nanoseconds: $0.number())),
                    .wall(WallInstant(nanoseconds: $0.number())),
                ])
            },
            payload: text()
        )
        record.trace = trace()
        return record
    }

    mutating func backgroundWork() -> BackgroundWorkRecord {
        var record = BackgroundWorkRecord()
        record.open = maybe { .init(callback: $0.number(), push: $0.number()) }
        record.asked = (0..<choice([0, 1, 3])).map { _ in ElapsedInstant(nanoseconds: number()) }
        return record
    }

    mutating func pushReceipt() -> PushReceiptRecord {
        PushReceiptRecord(
            number: number(),
            instant: ElapsedInstant(nanoseconds: number()),
            registrant: text(),
            outcome: choice(PushOutcome.allCases),
            identifier: text()
        )
    }

    mutating func snoozed() -> SnoozedRecord {
        var record = SnoozedRecord(
            sequence: number(),
            due: choice([
                .elapsed(ElapsedInstant(nanoseconds: number())),
                .wall(WallInstant(nanoseconds: number())),
            ]),
            date: WallInstant(nanoseconds: number()),
            event: number()
        )
        record.waitsSince = maybe { $0.now() }
        return record
    }

    mutating func unlockWait() -> UnlockWaitRecord {
        UnlockWaitRecord(
            center: number(),
            deadline: ElapsedInstant(nanoseconds: number()),
            identifier: text(),
            delivery: number(),
            action: .init(identifier: text(), text: maybe { $0.text() })
        )
    }

    mutating func deviceToken() -> DeviceTokenRecord {
        var record = DeviceTokenRecord(center: .local(choice(["a", "org.example"])))
        record.end = maybe { random in
            .init(
                reason: random.choice(TokenEnd.allCases),
                at: Now(
                    elapsed: ElapsedInstant(nanoseconds: random.number()),
                    wall: WallInstant(nanoseconds: random.number())
                ),
                number: random.number(),
                of: random.text()
            )
        }
        return record
    }

    mutating func app() -> AppRecord {
        var record = AppRecord(registeredAt: WallInstant(nanoseconds: number()))
        record.grouping = choice(GroupingMode.allCases)
        record.endedPrompts = (0..<choice([0, 1, 3])).map { _ in number() }
        record.registrant = text()
        for _ in 0..<choice([0, 1, 3]) { record.registration.names[text()] = text() }
        record.registration.icon = text()
        record.registration.language = text()
        record.registration.entitlements = Entitlements(rawValue: number())
        record.registration.backgroundModes = BackgroundModes(rawValue: number())
        for _ in 0..<choice([0, 1, 2]) {
            let kind = choice(AppExtension.Kind.allCases)
            var item = AppExtension(identifier: text(), kind: kind)
            item.categories = (0..<choice([0, 1, 3])).map { _ in text() }
            item.appearance.initialContentSizeRatio = choice([0.25, 1, 3])
            item.appearance.hidesDefaultContent = choice([true, false])
            item.appearance.overridesDefaultTitle = choice([true, false])
            item.appearance.takesTouches = choice([true, false])
            item.appearance.handlesResponses = choice([true, false])
            record.registration.extensions.append(item)
        }
        record.registration.isEphemeral = choice([true, false])
        return record
    }

    mutating func serviceArrival() -> ServiceArrivalRecord {
        var record = ServiceArrivalRecord(
            fired: fired(),
            since: ElapsedInstant(nanoseconds: number()),
            isAlertType: choice([true, false])
        )
        record.asked = maybe { $0.number() }
        record.bestAttempt = maybe { $0.number() }
        return record
    }

    mutating func extensionQuestion() -> ExtensionQuestionRecord {
        ExtensionQuestionRecord(
            center: number(),
            kind: choice(AppExtension.Kind.allCases),
            name: text()
        )
    }

    mutating func category() -> NotificationCategory {
        NotificationCategory(
            identifier: text(),
            actions: (0..<choice([0, 1, 3])).map { _ in action() },
            intentIdentifiers: (0..<choice([0, 1, 3])).map { _ in text() },
            hiddenPreviewsBodyPlaceholder: text(),
            summaryFormat: text(),
            options: CategoryOptions(rawValue: number()),
            localizedHiddenPreviewsBodyPlaceholder: maybe { $0.localizedText() },
            localizedSummaryFormat: maybe { $0.localizedText() }
        )
    }

    mutating func strings() -> [ExactText: LocalizedString] {
        var strings: [ExactText: LocalizedString] = [:]
        for _ in 0..<choice([0, 1, 2, 7, 40]) { strings[ExactText(text())] = string() }
        return strings
    }

    private mutating func string() -> LocalizedString {
        guard choice([true, false]) else { return .text(text()) }
        return .plural(
            PluralForms(
                zero: text(),
                one: text(),
                two: text(),
                few: text(),
                many: text(),
                other: text()
            )
        )
    }

    mutating func action() -> NotificationAction {
        NotificationAction(
            identifier: text(),
            title: text(),
            options: ActionOptions(rawValue: number()),
            icon: maybe { random in
                random.choice([true, false])
                    ? .templateImage(random.text()) : .systemImage(random.text())
            },
            textInput: maybe { random in
                ActionTextInput(buttonTitle: random.text(), placeholder: random.text())
            },
            localizedTitle: maybe { $0.localizedText() }
        )
    }
}

extension RandomRecords {
    mutating func notificationAttachment() -> NotificationAttachment {
        var attachment = NotificationAttachment(identifier: text(), file: text())
        attachment.type = text()
        attachment.isThumbnailHidden = Bool.random(using: &generator)
        attachment.clippingRect = maybe { random in
            UnitRect(
                x: random.double(),
                y: random.double(),
                width: random.double(),
                height: random.double()
            )
        }
        attachment.thumbnailTime = maybe { random in
            random.choice([.offset(nanoseconds: random.number()), .frame(random.number())])
        }
        return attachment
    }

    mutating func attachmentUse() -> AttachmentUseRecord {
        AttachmentUseRecord(
            app: text(),
            identifiers: (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                AttachmentIdentifier(bytes: (0..<16).map { _ in number() })
            }
        )
    }

    mutating func attachment() -> AttachmentRecord {
        var record = AttachmentRecord(
            file: AttachmentFile(String(repeating: choice(["0", "7", "f"]), count: 32))
                ?? AttachmentFile(),
            fileName: text(),
            type: text(),
            mediaType: text(),
            purpose: choice(AttachmentPurpose.allCases),
            byteCount: number(),
            sha256: (0..<32).map { _ in number() },
            createdAt: WallInstant(nanoseconds: number()),
            sound: maybe { random in
                SoundFacts(
                    codec: random.choice(SoundCodec.allCases),
                    durationNanoseconds: random.number()
                )
            }
        )
        record.referenceCount = number()
        record.unreferencedUntil = maybe { ElapsedInstant(nanoseconds: $0.number()) }
        record.registrant = text()
        return record
    }
}
