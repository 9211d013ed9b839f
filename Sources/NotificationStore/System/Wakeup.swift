internal import CBelfryLinux
internal import Glibc

/// Wakes one thread for work from other threads, or at an instant of a clock.
///
/// One `epoll` over an eventfd and a timerfd for each clock, as the writer waits for work *or* the
/// next due instant. `CLOCK_BOOTTIME` counts suspended time too; a wait also ends when
/// `CLOCK_REALTIME` is set.
package final class Wakeup: Sendable {
    private let epoll: Int32
    private let event: Int32
    private let timer: Int32
    private let wallTimer: Int32

    /// Makes a wakeup without a signal.
    package init() {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        event = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        timer = timerfd_create(
            CLOCK_BOOTTIME,
            Int32(TFD_CLOEXEC | TFD_NONBLOCK)
        )
        wallTimer = timerfd_create(CLOCK_REALTIME, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
        precondition(
            epoll >= 0 && event >= 0 && timer >= 0 && wallTimer >= 0,
            "no descriptors for a wakeup (errno \(errno))"
        )
        for descriptor in [event, timer, wallTimer] {
            var interest = unsafe epoll_event()
            unsafe interest.events = UInt32(EPOLLIN.rawValue)
            let code = unsafe epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &interest)
            precondition(code == 0, "epoll_ctl failed (errno \(errno))")
        }
    }

    deinit {
        for descriptor in [wallTimer, timer, event, epoll] { close(descriptor) }
    }

    /// Ends the present wait, or else the next wait; from any thread.
    package func signal() {
        let code = eventfd_write(event, 1)
        precondition(code == 0 || errno == EAGAIN, "eventfd_write failed (errno \(errno))")
    }

    /// Waits until ``signal()``, until one of the clocks shows an instant, or until the wall clock
    /// is set.
    ///
    /// - Parameters:
    ///   - bootNanoseconds: The instant in nanoseconds of `CLOCK_BOOTTIME`; nil waits for no
    ///     instant.
    ///   - wallNanoseconds: The instant in nanoseconds of `CLOCK_REALTIME`; nil waits for no
    ///     instant, and does not notice when that clock is set.
    package func wait(
        untilBootNanoseconds bootNanoseconds: Int64?,
        untilWallNanoseconds wallNanoseconds: Int64? = nil
    ) {
        let wallFlags = TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET
        // A clock that was set since the last reading cancels the timer at once, with ECANCELED.
        let isArmed =
            arm(timer, at: bootNanoseconds, flags: TFD_TIMER_ABSTIME)
            && arm(wallTimer, at: wallNanoseconds, flags: wallFlags)
        guard isArmed else { return }
        var ready = unsafe epoll_event()
        while true {
            let count = unsafe epoll_wait(epoll, &ready, 1, -1)
            if count > 0 { break }
            precondition(count < 0 && errno == EINTR, "epoll_wait failed (errno \(errno))")
        }
        var value: eventfd_t = 0
        _ = unsafe eventfd_read(event, &value)
    }

    /// Arms a timer, or disarms it; false where its clock was set.
    private func arm(_ timer: Int32, at nanoseconds: Int64?, flags: Int) -> Bool {
        var setting = itimerspec()
        if let nanoseconds {
            // A zero value would disarm the timer.
            let instant = max(1, nanoseconds)
            setting.it_value = timespec(
                tv_sec: Int(instant / 1_000_000_000),
                tv_nsec: Int(instant % 1_000_000_000)
            )
        }
        let code = unsafe timerfd_settime(timer, Int32(flags), &setting, nil)
        precondition(code == 0 || errno == ECANCELED, "timerfd_settime failed (errno \(errno))")
        return code == 0
    }
}

/// Counts jobs for threads, each of which waits for one job.
final class JobSemaphore: Sendable {
    private let event: Int32

    init() {
        event = eventfd(0, Int32(EFD_CLOEXEC | EFD_SEMAPHORE))
        precondition(event >= 0, "no descriptor for a semaphore (errno \(errno))")
    }

    deinit {
        close(event)
    }

    /// Lets one waiting thread go on; from any thread.
    func signal() {
        let code = eventfd_write(event, 1)
        precondition(code == 0, "eventfd_write failed (errno \(errno))")
    }

    func wait() {
        var value: eventfd_t = 0
        while unsafe eventfd_read(event, &value) != 0 {
            precondition(errno == EINTR, "eventfd_read failed (errno \(errno))")
        }
    }
}
