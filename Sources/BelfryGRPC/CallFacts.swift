internal import CBelfryGRPC

// The properties of a call on the server, shared by ``ServerCall`` and ``ServerStream``.

extension cgrpc_call {
    var path: String { unsafe String(cgrpc_call_path(self)) }

    var remainingTime: Duration? {
        let nanoseconds = cgrpc_call_remaining(self)
        return nanoseconds == .max ? nil : .nanoseconds(nanoseconds)
    }

    var isCancelled: Bool { cgrpc_call_is_cancelled(self) }

    var peer: Peer { unsafe Peer(address: String(cgrpc_call_peer(self))) }

    /// The values of the metadata for a name, in their order.
    func metadata(named name: String) -> [String] {
        var values: [String] = []
        unsafe name.withBytes { key in
            unsafe withUnsafeMutablePointer(to: &values) { result in
                unsafe cgrpc_call_metadata(self, key, result) { context, bytes in
                    unsafe context?.assumingMemoryBound(to: [String].self).pointee
                        .append(String(bytes))
                }
            }
        }
        return values
    }

    /// Keeps `object` until the call is over.
    func keep(_ object: any AnyObject & Sendable) {
        let pointer = unsafe Unmanaged<AnyObject>.passRetained(object).toOpaque()
        unsafe cgrpc_call_keep(self, pointer) { pointer in
            guard let pointer = unsafe pointer else { return }
            unsafe Unmanaged<AnyObject>.fromOpaque(pointer).release()
        }
    }

    func finish(_ status: Status, message: [UInt8]? = nil) {
        unsafe status.withCStatus { status in
            guard let message else { return unsafe cgrpc_call_finish(self, nil, &status) }
            unsafe message.withBytes { bytes in
                var bytes = unsafe bytes
                unsafe cgrpc_call_finish(self, &bytes, &status)
            }
        }
    }

    /// Finishes the call with a copy of `message`, and OK.
    ///
    /// This function is separate from `finish(_:message:)` because it is the hot path and builds no
    /// `Status`.
    func finish(message: [UInt8]) {
        unsafe message.withBytes { bytes in
            var bytes = unsafe bytes
            var status = unsafe cgrpc_status()
            unsafe cgrpc_call_finish(self, &bytes, &status)
        }
    }
}
