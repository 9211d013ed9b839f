# Every target does all of its own set-up, on a fresh Debian 12 machine with a Swift toolchain.

SWIFT_BUILD = swift build --explicit-target-dependency-import-check error
# The release build, which people run, does not check that accesses to a value never overlap: the
# checks took a fifth of a firing's instructions. The debug build, which the Swift tests run, does.
#
# It contains Swift's libraries, gRPC and LMDB: a program that has to load 70 libraries takes a third
# longer to start.
RELEASE = -c release -Xswiftc -enforce-exclusivity=unchecked --static-swift-stdlib \
	--pkg-config-path $(CURDIR)/.build/archives
LISTEN = tcp:127.0.0.1:50061
HTTP_LISTEN = tcp:127.0.0.1:50080
PYTHON = .build/python/bin/python

.PHONY: help run build check check-half check-rest test full build-tests swift-tests \
	swift-store-tests swift-other-tests conformance-tests languages examples races thresholds sanitize torture torture-recovery \
	torture-others torture-seeds torture-simulation torture-alone build-simulation build-races \
	faults lint proto client-python build-benchmarks bench bench-peers dist wheel try-dist

help:
	@echo 'make run       build the server and run it on $(LISTEN), granting every prompt'
	@echo 'make build     build the server: .build/release/belfry'
	@echo 'make check     after each edit: the tests of the core and the store, without gRPC in the way'
	@echo 'make test      before each landing: lint, the Swift tests, the server from outside, thresholds'
	@echo 'make full      all that there is, in the order of what fails most: hours, as root'
	@echo 'make thresholds  count instructions and allocations, and compare with their thresholds'
	@echo 'make races     the shim, the store and the feeds under the thread sanitizer: half a minute'
	@echo 'make languages the scenarios by clients in six languages, and the examples'
	@echo 'make sanitize  the Swift tests under the thread and the address sanitizer'
	@echo 'make torture   the tests of the promises, thousands of times, and all faults: over an hour, as root'
	@echo 'make faults    plant known faults, each of which a test has to catch: twelve minutes'
	@echo 'make dist      make a tarball and a Debian package of the release build, in .dist'
	@echo 'make wheel     make the wheels of the Python package and of the server, in .dist'
	@echo 'make try-dist  run them all in a bare Debian, as root'
	@echo 'make lint      check the format of the sources'
	@echo 'make proto     generate the Swift code of Protos'
	@echo 'make client-python  generate what the Python package carries of Protos and of itself'
	@echo 'make bench     run the benchmarks, whose times are printed and compared with nothing'
	@echo 'make bench-peers  measure beside Redis, PostgreSQL and others: over an hour, alone'

run: build
	exec .build/release/belfry serve --listen $(LISTEN) --http-listen $(HTTP_LISTEN) --prompts grant

build:
	.ci/setup build
	$(SWIFT_BUILD) $(RELEASE) --product belfry

# The core and the store with their tests, in a directory of their own: an edit of one file is tried
# in some minutes, and by tests of one name sooner. WHAT chooses tests by a pattern of their names, CHECK_SEEDS how many walks of the
# simulation are made: make check WHAT=SnoozeTests CHECK_SEEDS=500
#
# All of them run in two processes, one test at a time in each. Not the comparison of generated code:
# it needs protobuf, and make test has it.
CHECK_TEST = SIMULATION_SEEDS=$(or $(CHECK_SEEDS),50) .build/check/debug/belfryPackageTests.xctest \
	--testing-library swift-testing --no-parallel
STORE_HALF = ^NotificationStoreTests[.]([A-O]|Simulation)
check:
	.ci/setup build
	BELFRY_KERNEL=1 $(SWIFT_BUILD) --build-tests --scratch-path .build/check
ifdef WHAT
	$(CHECK_TEST) --filter '$(WHAT)'
else
	$(MAKE) --no-print-directory --jobs=2 --output-sync=target check-half check-rest
endif

check-half:
	$(CHECK_TEST) --filter '$(STORE_HALF)'

check-rest:
	$(CHECK_TEST) --filter '^(NotificationCore|NotificationStore|Soundness)Tests[.]' \
		--skip '$(STORE_HALF)' --skip '^SoundnessTests[.]GeneratedCodeTests'

# One debug and one release build, one after the other, which is faster than together, and than the
# Swift tests beside the release build; the tests, which wait more than they compute, run at a time.
test: lint build-tests thresholds build
	$(MAKE) --no-print-directory --jobs=3 --output-sync=target swift-tests conformance-tests

# What fails most comes first.
full: test
	$(MAKE) --no-print-directory races
	$(MAKE) --no-print-directory languages
	$(MAKE) --no-print-directory try-dist
	$(MAKE) --no-print-directory build-benchmarks
	$(MAKE) --no-print-directory torture
	$(MAKE) --no-print-directory sanitize

build-tests:
	.ci/setup test
	$(SWIFT_BUILD) --build-tests
	$(SWIFT_BUILD) --product protoc-gen-swift

# The clients in other languages, each of which is built when its first scenario runs, and the
# examples.
languages: build
	.ci/setup full
	install -D .build/release/belfry $(SERVER)
	PYTHONPATH=Tests/Conformance $(PYTHON) -m harness.driver
	$(CLIENT_TESTS) -m full
	$(PYTHON) -m pytest Tests/Conformance -m full --ignore=Tests/Conformance/dist --server $(SERVER) \
		--numprocesses $(WORKERS)

# One test at a time in each of two processes: many of them wait for threads of their own, and two
# cores have few others. The program of the tests runs without SwiftPM, which does not bear two
# processes of its own in one directory, and 'make run' is one of the conformance tests.
SWIFT_TEST = .build/debug/belfryPackageTests.xctest --testing-library swift-testing --no-parallel
swift-tests: swift-store-tests swift-other-tests

swift-store-tests:
	$(SWIFT_TEST) --filter '^NotificationStoreTests[.]'

swift-other-tests:
	$(SWIFT_TEST) --skip '^NotificationStoreTests[.]'

# A data race ends it with the sanitizer's report. Only what it drives is built for it.
races: build-races
	TSAN_OPTIONS=halt_on_error=1 .build/thread/debug/Races

build-races:
	.ci/setup build
	$(SWIFT_BUILD) --sanitize=thread --scratch-path .build/thread --product Races

# UPDATE=1 writes the counts as the thresholds.
thresholds:
	.ci/setup test
	$(SWIFT_BUILD) $(RELEASE) --product Instructions
	python3 Benchmarks/thresholds.py .build/release/Instructions $(if $(UPDATE),--update)

# In WORKERS processes, each of which has servers of its own. They try the release build, which is
# what people run: a copy of it, since 'make run', which is one of the tests, may link the server
# again, and a program that is being written cannot be started.
#
# Those of the Python package run apart: its modules have the names of the harness's own stubs.
#
# Tests are handed out, not stolen (--dist worksteal): a worker whose last tests are stolen while it
# waits for them can wait for ever.
WORKERS = 3
CLIENT_TESTS = $(PYTHON) -m pytest --quiet Clients/python --belfry-binary $(SERVER)
SERVER = .build/conformance/belfry
conformance-tests:
	.ci/setup test
	install -D .build/release/belfry $(SERVER)
	$(PYTHON) -m pytest --quiet Benchmarks/Peers/tests
	$(CLIENT_TESTS) -m 'not full' --numprocesses $(WORKERS)
	$(PYTHON) -m pytest Tests/Conformance -m 'not full' --server $(SERVER) \
		--numprocesses $(WORKERS)

sanitize:
	.ci/setup test
	swift test --no-parallel --sanitize=thread --scratch-path .build/thread
	swift test --no-parallel --sanitize=address --scratch-path .build/address --disable-xctest

# COUNTS chooses other counts: make torture COUNTS="--count R1=20 --count R2=100"
#
# Two rows at a time, each of which waits for disks and processes more than it computes, beside the
# simulation and, after it, the seeded faults; then what has the machine to itself. A part that fails
# keeps none of the others from being run.
TORTURE = $(PYTHON) -m pytest -m torture -s --server .build/release/belfry --torture $(COUNTS) \
	--rule-dates .build/simulation/release/RuleDates
RECOVERY = $(patsubst %,Tests/Conformance/durability/test_%.py,durability power_cut history backup)
# It holds the calls beside the storm to a time.
ALONE = Tests/Conformance/clock/test_overdue.py

torture: build build-simulation
	.ci/setup test
	$(MAKE) --no-print-directory --jobs=3 --keep-going \
		torture-recovery torture-others torture-seeds; status=$$?; \
	$(MAKE) --no-print-directory torture-alone && exit $$status

torture-seeds:
	$(MAKE) --no-print-directory --jobs=1 --keep-going torture-simulation faults

torture-recovery:
	$(TORTURE) $(RECOVERY)

torture-others:
	$(TORTURE) Tests/Conformance $(addprefix --ignore=,$(RECOVERY) $(ALONE))

torture-alone:
	$(TORTURE) $(ALONE)

# A release build of the tests makes many times as many seeds in the same time.
build-simulation:
	.ci/setup build
	$(SWIFT_BUILD) -c release --build-tests -Xswiftc -enable-testing --scratch-path .build/simulation

# SEEDS chooses another count of seeds of the store's simulation, and LOG_SEEDS of the log's.
SEEDS = 10000
LOG_SEEDS = 100000
SIMULATION = .build/simulation/release/belfryPackageTests.xctest --testing-library swift-testing \
	--no-parallel --filter
torture-simulation:
	LOG_SEEDS=$(LOG_SEEDS) $(SIMULATION) '^NotificationLogTests[.]LogSimulationTests'
	SIMULATION_SEEDS=$(SEEDS) $(SIMULATION) '^NotificationStoreTests[.]SimulationTests'

# The debug build has all of them, and each test is run with one planted; those that are races need
# the build of the thread sanitizer. NAMES chooses some: make faults NAMES="no-sync early-fire"
faults: build-tests
	Tests/Faults/run.py $(NAMES)

dist: build
	.ci/setup dist
	.dist/build

wheel: build
	.ci/setup dist
	.dist/wheel

try-dist: dist wheel
	.ci/setup test
	BELFRY_REQUIRE_DIST=1 $(PYTHON) -m pytest Tests/Conformance/dist --durations=0

lint:
	swift format lint --strict --parallel --recursive Package.swift Sources Tests Benchmarks

proto:
	.ci/setup test
	Protos/generate.sh
	$(PYTHON) Clients/python/generate.py

# After an edit of belfry/aio, of which the sync clients are made.
client-python:
	.ci/setup test
	$(PYTHON) Clients/python/generate.py

# The benchmarks' own package is not needed by the server: it is asked for by name.
build-benchmarks:
	.ci/setup build
	BELFRY_BENCHMARKS=1 $(SWIFT_BUILD) $(RELEASE) --product TriggerBenchmarks

bench:
	.ci/setup build
	BELFRY_BENCHMARKS=1 swift package --disable-sandbox benchmark

# ARGUMENTS chooses rows, times and counts: make bench-peers ARGUMENTS="--quick --only echo add-64"
#
# What is not there is a row that says so: grpc-swift-2 has to be fetched and compiled.
bench-peers: build
	Benchmarks/Peers/setup
	BELFRY_BENCHMARKS=1 $(SWIFT_BUILD) $(RELEASE) --product EchoServer
	-swift build -c release --package-path Benchmarks/Peers/GRPCSwiftEcho \
		--scratch-path .build/grpc-swift-echo
	Benchmarks/Peers/run $(ARGUMENTS)
