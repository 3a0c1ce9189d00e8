# Everything a developer or an operator types. The recipes find a JDK and a Maven that are new enough.

.DEFAULT_GOAL := help
.PHONY: help trace dev attack fuzz fuzz-api forget sbom test test-page test-native campaign bench simulate traffic token doctor smoke faults transfer world run say thread lambda native snapshot secret \
  migrate deploy undeploy rollback redrive slack-app validate container format clean tools sandbox-tools package

JDK_MIN := 25
MAVEN_VERSION := 3.9.16
# Nothing that is not needed for a start; and no console of its own, since that one takes Ctrl-C for itself and hangs for
# ever in a terminal that was closed.
DEV := -Dquarkus.console.enabled=false -Dquarkus.test.continuous-testing=disabled -Dmaven.test.skip -Dspotless.check.skip

CACHE := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/gorkie

# A Maven that was fetched before, else the installed one when it is 3.9 or newer, else one it fetches into the cache.
FETCHED_MAVEN := $(CACHE)/apache-maven-$(MAVEN_VERSION)/bin/mvn
MVN := $(or $(wildcard $(FETCHED_MAVEN)),$(shell mvn -v 2>/dev/null | \
  sed -n '1s/.*Maven \([0-9]*\)\.\([0-9]*\).*/\1 \2/p' | \
  awk '$$1 > 3 || ($$1 == 3 && $$2 >= 9) { print "mvn" }'),$(FETCHED_MAVEN))

# The first JDK that is new enough: JAVA_HOME's, the one on the PATH, then where machines and people keep them.
JAVAC_HOME := $(patsubst %/bin/javac,%,$(realpath $(shell command -v javac)))
JDK_PLACES := "$$JAVA_HOME" "$(JAVAC_HOME)" /usr/lib/jvm/* /Library/Java/JavaVirtualMachines/*/Contents/Home \
  /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home "$$HOME"/.sdkman/candidates/java/* "$$HOME"/.jdks/*
JDK := $(shell for place in $(JDK_PLACES); do \
  version=$$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$$place/release" 2>/dev/null); \
  if [ "$${version:-0}" -ge $(JDK_MIN) ] && [ -x "$$place/bin/javac" ]; then echo "$$place"; break; fi; done)

MAVEN := JAVA_HOME="$(JDK)" "$(MVN)" -ntp
JAVA := "$(JDK)/bin/java"

# The page is tried in a browser where there is one; the tests say so where there is none.
CHROMIUM ?= $(shell for name in chromium chromium-browser google-chrome; do command -v $$name && exit; done; \
  mac='/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'; [ ! -x "$$mac" ] || echo "$$mac")
IN_BROWSER := $(if $(CHROMIUM),-Dpage "-Dgorkie.chromium=$(CHROMIUM)")

# The outside world runs from the test classes, on the class path Maven knows. With large pages: each of its terminals begins with a copy
# of its page table, and half a gigabyte of small ones stands still for 20 ms.
LOCAL := target/local.compiled
LOCAL_JAVA := $(JAVA) -Dstdout.encoding=UTF-8 -Dstderr.encoding=UTF-8 --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
  -Djava.util.logging.manager=org.jboss.logmanager.LogManager -XX:TieredStopAtLevel=1 -XX:+UseSerialGC \
  -XX:+IgnoreUnrecognizedVMOptions -XX:+UseTransparentHugePages -cp "target/test-classes:$$(cat target/test.classpath)"
# Compiled as well as a deployed program is, which pays in an hour and where something is measured.
LONG_JAVA = $(subst -XX:TieredStopAtLevel=1,,$(LOCAL_JAVA))
BENCH_JAVA = $(subst target/test-classes:,target/classes:target/test-classes:,$(LONG_JAVA))
# What the world is reached by, unless the environment names a database of its own.
IN_WORLD := if [ -z "$$DATABASE_URL" ] && [ -f target/world.env ]; then set -a; . ./target/world.env; set +a; fi
IN_IMAGE := GORKIE=$$(node src/main/sandbox/install.mjs "$(CACHE)") && export GORKIE

SBOM := target/sbom/licences.txt
PACKAGED := target/quarkus-app/.packaged

# What every processor of that kind at Lambda has, and the newest C library that its system offers a program.
ARCH = $(MACHINE)
MACHINE := $(if $(filter arm64 aarch64,$(shell uname -m)),arm64,x86-64)
MARCH_x86-64 := x86-64-v2
MARCH_arm64 := armv8.1-a
PLATFORM_x86-64 := linux/amd64
PLATFORM_arm64 := linux/arm64
GLIBC_MAX := 2.34
PROGRAM_MB_MAX := 110
NATIVE := target-lambda-native/function.zip
NATIVE_BUILT = target-lambda-native/built-for-$(ARCH)
# A GraalVM builds for the machine it runs on. Where that is another one, or there is none, a container does.
HAS_GRAALVM := $(and $(filter Linux,$(shell uname -s)),$(wildcard $(GRAALVM_HOME)/bin/native-image))
CONTAINERS = $(shell for name in docker podman; do $$name info >/dev/null 2>&1 && echo $$name && exit; done)
BUILDER = $(if $(and $(HAS_GRAALVM),$(filter $(MACHINE),$(ARCH))),-Dquarkus.native.container-build=false,$(if $(CONTAINERS),\
  -Dquarkus.native.container-build=true -Dquarkus.native.container-runtime=$(CONTAINERS) \
  -Dquarkus.native.container-runtime-options=--platform=$(PLATFORM_$(ARCH))))

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

dev world: export WORLD_PORT = $(value PORT)
dev: $(LOCAL) sandbox-tools ## the outside world on this machine, and Gorkie in front of it with live reload
	@$(IN_IMAGE) && \
	{ $(LOCAL_JAVA) dev.gorkie.local.World dev </dev/null & } && world=$$! && app= && \
	trap '{ [ -z "$$app" ] || { kill $$app; wait $$app; }; kill $$world; wait; } 2>/dev/null' EXIT && trap 'exit 129' HUP && trap 'exit 130' INT && trap 'exit 143' TERM && \
	if (: 3<&0) 2>/dev/null; then exec 3<&0; else exec 3</dev/null; fi && \
	until grep -qs "^WORLD_PID=$$world$$" target/world.env; do kill -0 $$world 2>/dev/null || exit 1; sleep 0.1; done && \
	set -a && . ./target/world.env && set +a && \
	while rm -f target/world.again && { $(MAVEN) -q quarkus:dev $(DEV) <&3 & } && app=$$! && \
	{ wait $$app; ended=$$?; [ -f target/world.again ]; }; do :; done; exit $$ended

# Said last, since Maven says it before a page of its own; where nothing has failed it was no test.
WHAT_FAILED := { grep -hsA2 '<<< [EF]' target/surefire-reports/*.txt target/failsafe-reports/*.txt >&2; exit 1; }

# The tests inside an application have one process and mostly wait; they run beside those of whole ways.
test: tools sandbox-tools $(SBOM) ## everything a change must pass
	@$(IN_IMAGE) && mkdir -p target && \
	{ "$$GORKIE/bin/node" --test 'src/test/sandbox/**/*.test.mjs' 'src/test/deploy/*.test.mjs' >target/sandbox-tests.log 2>&1 & } && tests=$$! && \
	inside= && trap 'kill $$tests $$inside 2>/dev/null' EXIT && \
	$(MAVEN) -B -Dlambda package -Dmaven.test.skip && \
	rm -rf target/leaks target/*-reports && { $(MAVEN) -B test -Dtests.inside.skip || $(WHAT_FAILED); } && \
	{ $(MAVEN) -B surefire:test@inside-quarkus >target/inside-quarkus.log 2>&1 & } && inside=$$! && \
	{ $(MAVEN) -B verify -Dspotless.check.skip -Dtests.alone.skip -Dtests.inside.skip $(IN_BROWSER) || $(WHAT_FAILED); } && \
	{ wait $$inside || { cat target/inside-quarkus.log; $(WHAT_FAILED); }; } && \
	{ wait $$tests; passed=$$?; cat target/sandbox-tests.log; [ $$passed = 0 ]; } && \
	node src/build/leaks.mjs

test-page: tools sandbox-tools ## the page alone, in a real browser; CHROMIUM=path, and pictures for the docs with PICTURES=1
	@test -n "$(CHROMIUM)" || { echo 'No Chromium was found. Install one, or say where it is: CHROMIUM=path' >&2; exit 2; }
	@$(IN_IMAGE) && $(MAVEN) -B verify $(IN_BROWSER) $(if $(PICTURES),-Dgorkie.pictures=docs/pictures) \
	  -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false '-Dit.test=Page*IT'

test-native: $(NATIVE_BUILT) tools sandbox-tools ## the native functions alone, one message all the way and more
	@$(IN_IMAGE) && $(MAVEN) -B verify -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false -Dit.test=NativeShapeIT

# An endpoint that does nothing, with the same extensions; as a native program too where there is one of the product.
FLOOR := target/bench/floor/function.zip $(if $(wildcard $(NATIVE)),target/bench/floor-native/function.zip)
FLOOR_PARTS := src/test/bench/floor/pom.xml $(shell find src/test/bench/floor/src -type f)
target/bench/floor/function.zip: $(FLOOR_PARTS) | tools
	@$(MAVEN) -B -q -f src/test/bench/floor/pom.xml -Dtarget=$(CURDIR)/target/bench/floor package
target/bench/floor-native/function.zip: $(FLOOR_PARTS) | tools
	@$(MAVEN) -B -q -f src/test/bench/floor/pom.xml -Dtarget=$(CURDIR)/target/bench/floor-native \
	  -Dquarkus.native.enabled=true -Dquarkus.package.jar.enabled=false -Dquarkus.native.march=$(MARCH_$(ARCH)) $(BUILDER) package

bench: export FUNCTION_ZIP = $(value ZIP)
bench: export BENCH_PART = $(value PART)
bench: export BENCH_SIZE = $(value SIZE)
bench: export BENCH_RECORD = $(value RECORD)
bench: export BENCH_TIMES = $(value TIMES)
bench: export BENCH_TURNS = $(value TURNS)
bench: export BENCH_COLD = $(value COLD)
bench: export BENCH_STARTS = $(value STARTS)
bench: export BENCH_EVENTS = $(value EVENTS)
bench: export BENCH_MEGABYTES = $(value MEGABYTES)
bench: export BENCH_MINUTES = $(value MINUTES)
bench: export BENCH_REAL = $(value REAL)
bench: export BENCH_PLAYED = $(value PLAYED)
bench: export BENCH_PROCESSES = $(value PROCESSES)
bench: export BENCH_SECONDS = $(value SECONDS)
bench: export BENCH_SMALLER = $(value SMALLER)
bench: package lambda $(if $(filter-out acknowledge,$(PART)),,$(FLOOR)) $(LOCAL) sandbox-tools ## measures what a user pays for, in a table: PART=records SIZE=short; RECORD=1 keeps it as this machine's, ZIP=path for functions of another program
	@$(IN_IMAGE) && BENCH_BOLT=$$(node src/test/bench/bolt/install.mjs "$(CACHE)") && export BENCH_BOLT && exec $(BENCH_JAVA) dev.gorkie.bench.Bench

simulate: export BENCH_SIZE = $(value SIZE)
simulate: export BENCH_SMALLER = $(value SMALLER)
simulate: $(LOCAL) ## turns by the ten thousand, on a clock of their own, with the limits that the services publish: SIZE=short
	@BENCH_PART=simulation $(BENCH_JAVA) dev.gorkie.bench.Bench

traffic: package $(LOCAL) sandbox-tools ## what a run asks of Slack in a minute, and many runs where Slack takes a tenth of that; STEPS=40 THREADS=20
	@$(IN_IMAGE) && $(LOCAL_JAVA) -Dsteps=$(or $(STEPS),40) -Dthreads=$(or $(THREADS),20) dev.gorkie.way.SlackTrafficBenchmark

campaign: export FUNCTION_ZIP = $(value ZIP)
campaign: export CAMPAIGN_PART = $(value PART)
campaign: export CAMPAIGN_SEEDS = $(value SEEDS)
campaign: export CAMPAIGN_TIME = $(value TIME)
campaign: export CAMPAIGN_SEED = $(value SEED)
campaign: export CAMPAIGN_BOUNDARY = $(value BOUNDARY)
campaign: export CAMPAIGN_AT = $(value AT)
campaign: export CAMPAIGN_SIDE = $(value SIDE)
campaign: export CAMPAIGN_MINUTES = $(value MINUTES)
campaign: export CAMPAIGN_RATE = $(value RATE)
campaign: export CAMPAIGN_OLD = $(value OLD)
campaign: $(if $(filter-out soak,$(PART)),,package) $(if $(or $(ZIP),$(filter soak,$(PART))),,lambda) $(LOCAL) sandbox-tools ## kills and cuts Gorkie at every boundary and judges: PART=kill SEEDS=25 TIME=10 ZIP=path; ten minutes of all parts without
	@$(IN_IMAGE) && exec $(if $(PART),$(LONG_JAVA),$(LOCAL_JAVA)) dev.gorkie.campaign.Campaign

# Each row says how often something was tried and how often it came through; the table is printed whatever came of it.
ATTACKED = $(MAVEN) -B -q -Dspotless.check.skip -Dattack.whole=true -Dseed=$(or $(SEED),1)
attack: export ATTACK_WHOLE = 1
attack: tools sandbox-tools $(LOCAL) ## every attack in full size, and a table of what came through; some minutes; SEED=1
	@$(IN_IMAGE) && rm -rf target/attack target/leaks && failed=0; \
	"$$GORKIE/bin/node" --test src/test/sandbox/paths.test.mjs >target/attack-sandbox.log 2>&1 || failed=1; \
	$(ATTACKED) test '-Dtest=Forged*Test,Hostile*Test,ReplayTest,RulesTest,FloodTest,JobTokensTest,DaytonaSandboxesTest' >target/attack.log 2>&1 || failed=1; \
	$(ATTACKED) verify -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false \
	  '-Dit.test=InjectionIT,TenancyIT,KeysIT,CanariesIT,PolicyIT,DoorIT,AbuseIT,ForgetIT' >>target/attack.log 2>&1 || failed=1; \
	node src/build/leaks.mjs >>target/attack.log 2>&1 || failed=1; \
	$(LOCAL_JAVA) dev.gorkie.attack.Attack || failed=1; \
	[ $$failed = 0 ] || { echo 'Something came through; target/attack.log and target/attack-sandbox.log tell what.' >&2; exit 1; }

fuzz: tools $(LOCAL) ## records of a sandbox, forged for ten minutes; MINUTES=10 SEED=1
	@$(MAVEN) -B -q surefire:test -Dfuzz.minutes=$(or $(MINUTES),10) -Dseed=$(or $(SEED),$(shell date +%s)) -Dtest=ForgedRecordsTest && \
	  cat target/attack/s9-*.row

# Python's own tool; it is fetched where that can be done, once.
SCHEMATHESIS = $(or $(shell command -v schemathesis),$(wildcard $(CACHE)/schemathesis/bin/schemathesis))
fuzz-api: export GORKIE_API = $(or $(value URL),http://127.0.0.1:8080)
fuzz-api: export GORKIE_API_TOKEN = $(value TOKEN)
fuzz-api: ## what a running Gorkie answers to requests made from its API's own description: TOKEN=… URL=http://127.0.0.1:8080 EXAMPLES=50
	@[ -n "$$GORKIE_API_TOKEN" ] || { echo 'Say with which token: TOKEN=…; “make token” prints one.' >&2; exit 2; }
	@[ -n "$(SCHEMATHESIS)" ] || { python3 -m venv "$(CACHE)/schemathesis" && "$(CACHE)/schemathesis/bin/pip" -q install schemathesis; } >/dev/null 2>&1 || true
	@program=$$(command -v schemathesis || ls "$(CACHE)/schemathesis/bin/schemathesis" 2>/dev/null); \
	if [ -z "$$program" ]; then echo 'Skipped: Schemathesis is not installed and could not be fetched. It takes Python 3 with venv and pip.'; else \
	exec "$$program" run "$$GORKIE_API/v1/sandbox/openapi.json" --header "Authorization: Bearer $$GORKIE_API_TOKEN" \
	  --checks not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance \
	  --max-examples $(or $(EXAMPLES),50) --request-timeout 60; fi

smoke: tools sandbox-tools ## the contract with Daytona, tried at the account that the environment names; some quarter of an hour
	@if [ -z "$$DAYTONA_API_KEY" ] || [ -z "$$DAYTONA_SNAPSHOT" ]; then \
	echo 'Skipped: it takes a real account. Set DAYTONA_API_KEY, and DAYTONA_SNAPSHOT to what “make snapshot” prints.'; else \
	$(MAVEN) -B -q test-compile && $(MAVEN) -B surefire:test -Dsmoke=true -Dpatience=300 -Dtest=SmokeContractTest,QuestionsTest; fi

doctor: package sandbox-tools ## looks over the Daytona account that the environment names, or the world's, before the first message
	@if [ -z "$$DAYTONA_API_KEY" ] && [ -f target/world.env ]; then set -a; . ./target/world.env; set +a; fi; \
	GORKIE_SNAPSHOT_OF_THIS_VERSION=$$(node src/main/sandbox/snapshot.mjs --name) GORKIE_ROLE=doctor \
	  exec $(JAVA) -jar target/quarkus-app/quarkus-run.jar

faults: tools sandbox-tools ## turns with one fault of Daytona's each, and how long it takes until Pi runs; FAULTS=2000 SEED=1
	@$(IN_IMAGE) && $(MAVEN) -B -q test-compile && $(MAVEN) -B surefire:test -Dtest=FaultCampaignTest \
	  -Dfaults.long=true -Dfaults=$(or $(FAULTS),2000) -Dseed=$(or $(SEED),1)

transfer: tools sandbox-tools ## a long file into a sandbox and out again, and what memory that takes; MEGABYTES=1024
	@$(IN_IMAGE) && $(MAVEN) -B -q test-compile && $(MAVEN) -B surefire:test -Dmegabytes=$(or $(MEGABYTES),1024) \
	  '-Dtest=DaytonaSandboxesTest#a_file_takes_no_more_memory_the_longer_it_is'

world: $(LOCAL) sandbox-tools ## the outside world alone, for "make run" in another terminal
	@$(IN_IMAGE) && exec $(LOCAL_JAVA) dev.gorkie.local.World

run: package ## Gorkie as a server, in the world that runs, or as the environment says
	@$(IN_WORLD); exec $(JAVA) -jar target/quarkus-app/quarkus-run.jar

say: export GORKIE_TEXT = $(value TEXT)
say: export GORKIE_THREAD = $(value THREAD)
say: export GORKIE_CHANNEL = $(value CHANNEL)
say: export GORKIE_FILE = $(value FILE)
# Every shell has a USER; only one that was typed here is meant.
say: export GORKIE_USER = $(if $(filter command,$(origin USER)),$(value USER))
say: $(LOCAL) ## say something in the local Slack: TEXT="…" [THREAD=ts] [USER=name] [CHANNEL=name] [FILE=path]
	@$(LOCAL_JAVA) dev.gorkie.local.Desk say

thread: export GORKIE_THREAD = $(value THREAD)
thread: export GORKIE_CHANNEL = $(value CHANNEL)
thread: export GORKIE_FOLLOW = $(value FOLLOW)
thread: $(LOCAL) ## show the last thread, or THREAD=ts [CHANNEL=name], as a person sees it; FOLLOW=1 until its turn is over
	@$(LOCAL_JAVA) dev.gorkie.local.Desk thread

lambda: tools $(SBOM) ## target-lambda/function.zip
	@$(MAVEN) -B -q -Dlambda package -Dmaven.test.skip && ls -l target-lambda/function.zip

native: $(SBOM) $(NATIVE_BUILT) ## target-lambda-native/function.zip, which needs no JVM; ARCH=x86-64 or arm64
	@ls -l $(NATIVE)

$(NATIVE_BUILT): pom.xml $(shell find src/main/java src/main/resources) | tools
	@test -n "$(MARCH_$(ARCH))" || { echo 'ARCH is not what it should be. Expected: x86-64 or arm64.' >&2; exit 2; }
	@test -n "$(strip $(BUILDER))" || { echo 'Nothing was found that builds a native image for $(ARCH). Set GRAALVM_HOME to a GraalVM or' \
	  'Mandrel 25 on a Linux machine of that kind, or start Docker or Podman.' >&2; exit 2; }
	@case '$(BUILDER)' in *build=true*) ;; *) "$(GRAALVM_HOME)/bin/native-image" --version | grep -q '^native-image 2[5-9]' || { \
	  echo 'GRAALVM_HOME is not what it should be. Expected: a GraalVM or Mandrel $(JDK_MIN).' >&2; exit 2; }; esac
	@rm -f target-lambda-native/built-for-* $(NATIVE) && $(MAVEN) -B -Dlambda -Dnative -Dquarkus.native.march=$(MARCH_$(ARCH)) $(BUILDER) package -Dmaven.test.skip
	@program=$$(ls target-lambda-native/*-runner) && \
	glibc=$$(grep -aoE 'GLIBC_2[.][0-9]+' "$$program" | sort -uV | tail -1) && \
	if [ "$$(printf '%s\n' "$$glibc" GLIBC_$(GLIBC_MAX) | sort -V | tail -1)" != GLIBC_$(GLIBC_MAX) ]; then rm -f $(NATIVE); \
	  echo "The program asks for $$glibc, and Lambda has $(GLIBC_MAX). Build it on an older system, or in a container." >&2; exit 1; fi && \
	if [ "$$(wc -c <"$$program")" -gt $(PROGRAM_MB_MAX)000000 ]; then rm -f $(NATIVE); \
	  echo "The program has more than $(PROGRAM_MB_MAX) MB: $$(wc -c <"$$program") bytes." >&2; exit 1; fi && touch $@

snapshot: sandbox-tools ## the sandboxes' image at Daytona
	@node src/main/sandbox/snapshot.mjs

secret: export SECRET_NAME = $(value NAME)
secret: export SECRET_HOSTS = $(value HOSTS)
secret: sandbox-tools ## the model's key as a secret at Daytona, or the next key in the same; another key with NAME=… HOSTS=… and SECRET_VALUE set
	@node src/main/sandbox/secret.mjs

migrate: package ## bring the database of DATABASE_URL, or the world's, to this version
	@$(IN_WORLD); GORKIE_MIGRATE=true exec $(JAVA) -jar target/quarkus-app/quarkus-run.jar

deploy: sandbox-tools ## to AWS, all of it or STEP=build,functions,…; what it asks once is in deploy/config.toml
	@node deploy/deploy.mjs "$$STEP"

undeploy: sandbox-tools ## removes what is at AWS, and leaves the database
	@node deploy/deploy.mjs undeploy

rollback: sandbox-tools ## the functions' release before, or RELEASE=…; new and old work on the same rows
	@node deploy/deploy.mjs rollback

redrive: sandbox-tools ## hands what waits in the failure queue to the worker once more
	@node deploy/deploy.mjs redrive

slack-app: sandbox-tools ## makes the Slack app, or changes it, from its manifest; URL=… where a server of your own is
	@node deploy/deploy.mjs slack-app

validate: sandbox-tools ## AWS's own judges look at the template, those that are installed
	@node deploy/validate.mjs && \
	for judge in 'cfn-lint' 'sam validate --lint --region us-east-1 --template'; do \
	if command -v $${judge%% *} >/dev/null; then $$judge deploy/sam-template.yaml || exit 1; \
	else echo "$${judge%% *} is not installed; skipped"; fi; done

container: package $(SBOM) ## an image of the plain server, gorkie:latest, by podman or docker
	@engine=$$(command -v podman || command -v docker) || { echo 'Neither podman nor docker was found. Install one.' >&2; exit 2; }; \
	"$$engine" build --file deploy/Containerfile --tag gorkie:latest target/quarkus-app

forget: export GORKIE_FORGETS = $(or $(value THREAD),$(if $(value TENANT),api/$(value TENANT)),$(if $(value PERSON),$(value TEAM)/$(value PERSON),$(value TEAM)))
forget: package ## forget a thread (THREAD=T…:C…:ts), a person (TEAM=T… PERSON=U…), a workspace (TEAM=T… SURE=T…) or a tenant (TENANT=acme), and look whether anything is left
	@[ '$(words $(foreach one,THREAD TENANT TEAM,$(if $(value $(one)),$(one))))' = 1 ] || { echo 'Say one thing: THREAD=T…:C…:ts, or TEAM=T… PERSON=U…, or TEAM=T… SURE=T…, or TENANT=acme' >&2; exit 2; }; \
	$(IN_WORLD); exec $(JAVA) -jar target/quarkus-app/quarkus-run.jar

# What is said on the command line is in the environment of what it runs, by itself and under its own name.
token: export GORKIE_TOKEN = $(if $(value REVOKE),revoke,$(if $(value LIST),list,make))
token: package ## a token for a program that uses the API: TENANT=acme NAME=what-for SCOPES=execute,read,write DAYS=90; LIST=1; REVOKE=id
	@$(IN_WORLD); exec $(JAVA) -jar target/quarkus-app/quarkus-run.jar

sbom: $(SBOM) ## what server, functions and the sandboxes' image are made of, and under which licences: target/sbom
	@ls -l target/sbom

# Whatever is built to be handed on comes with it, and is not built when a part may not be handed on.
BILL = $(MAVEN) -B -q $(1) quarkus:dependency-sbom -Dquarkus.dependency.sbom.output-file="$(CURDIR)/target/sbom/$(2).cdx.json" -Dquarkus.dependency.sbom.runtime-only=true
$(SBOM): pom.xml src/build/bill.mjs src/build/licences.mjs src/main/sandbox/package.json src/main/sandbox/package-lock.json | tools sandbox-tools
	@mkdir -p target/sbom && $(call BILL,,server) && $(call BILL,-Dlambda,functions) && \
	node src/build/bill.mjs >target/sbom/sandbox.cdx.json && \
	node src/build/licences.mjs $@ target/sbom/server.cdx.json target/sbom/functions.cdx.json target/sbom/sandbox.cdx.json || { rm -f $@; exit 1; }

trace: export GORKIE_THREAD = $(value THREAD)
trace: export GORKIE_TRACE_LOG = $(value LOG)
trace: package ## what happened to one thread: THREAD=team:channel:ts or a link to a message, and LOG=file, or - for what is piped in
	@$(IN_WORLD); GORKIE_ROLE=trace exec $(JAVA) -jar target/quarkus-app/quarkus-run.jar

format: tools ## put the Java sources into the house's format
	@$(MAVEN) -B -q spotless:apply

clean: ## remove what was built, and the local world's data
	rm -rf target target-lambda target-native target-lambda-native

# Only when something has changed: whoever runs it has the files open. What builds it anew empties the folder, and so this goes, too.
# Folders tell of files that are gone or have another name now; and what changes meanwhile is newer than the beginning.
package: $(PACKAGED)
$(PACKAGED): pom.xml $(shell find src/main/java src/main/resources) | tools
	@mkdir -p target && touch target/packaging && $(MAVEN) -B -q package -Dmaven.test.skip && touch -r target/packaging $@

$(LOCAL): pom.xml $(shell find src/test/java/dev/gorkie/local src/test/java/dev/gorkie/campaign src/test/java/dev/gorkie/way \
  src/test/java/dev/gorkie/bench src/test/java/dev/gorkie/simulation -name '*.java') $(wildcard src/test/resources/page/* src/test/resources/daytona/*) | tools
	@[ -f $@ ] || echo 'Compiling; the first time Maven fetches what that takes, for some minutes'
	@$(MAVEN) -B -q test-compile -Dspotless.check.skip \
	  org.apache.maven.plugins:maven-dependency-plugin:3.9.0:build-classpath \
	  -Dmdep.outputFile=target/test.classpath -Dmdep.includeScope=test && touch $@

tools: $(filter-out mvn,$(MVN))
	@test -n "$(JDK)" || { echo 'No JDK $(JDK_MIN) or newer was found. Install one, or set JAVA_HOME to it.' \
	  'Looked in: $(subst ",,$(JDK_PLACES))' >&2; exit 2; }

sandbox-tools:
	@for tool in node npm git; do command -v $$tool >/dev/null || { \
	  echo "$$tool was not found. Install it and try again." >&2; exit 2; }; done

# Called inside the cache, so that a Maven however old reads neither our POM nor our JVM options; copied and
# unpacked by tar, since the plugin's own unpacking does nothing, silently, the second time.
$(FETCHED_MAVEN):
	@command -v mvn >/dev/null || { echo 'mvn was not found. Install any Maven; a newer one is then fetched.' >&2; exit 2; }
	@echo 'Fetching Maven $(MAVEN_VERSION)' && mkdir -p "$(CACHE)" && cd "$(CACHE)" && \
	mvn -B -q -ntp org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy \
	  -Dartifact=org.apache.maven:apache-maven:$(MAVEN_VERSION):tar.gz:bin -DoutputDirectory=. && \
	tar xzf apache-maven-$(MAVEN_VERSION)-bin.tar.gz
