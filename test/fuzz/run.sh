#!/bin/bash
# run.sh [TARGET...]
#    Builds the fuzz targets with clang's libFuzzer, address and undefined
#    behaviour sanitizers, and lets each run for FUZZ_SECONDS (600) from its
#    corpus.  A finding is left in build/fuzz and fails the run.
set -eu
cd "$(dirname "$0")/../.."
seconds=${FUZZ_SECONDS:-600}
config=${PG_CONFIG:-pg_config}
out=build/fuzz
mkdir -p $out
sources="src/base/encoding.c src/base/json.c src/base/text.c src/llm/draft.c
	src/llm/message.c src/llm/stream.c src/llm/tidy.c src/llm/wire.c
	src/llm/wire_anthropic.c src/llm/wire_chat.c src/llm/wire_gemini.c
	src/llm/wire_ollama.c src/llm/wire_openai.c"
targets=${*:-json reply stream tidy}

for target in $targets; do
	echo "building $target"
	clang -g -O1 -fsanitize=fuzzer,address,undefined \
		-fno-sanitize-recover=undefined -fno-omit-frame-pointer \
		-Wno-ignored-attributes -D_GNU_SOURCE -Isrc -Itest/fuzz \
		-I"$($config --includedir-server)" \
		"test/fuzz/fuzz_$target.c" test/fuzz/shim.c $sources \
		-L"$($config --pkglibdir)" -L"$($config --libdir)" \
		-L"$($config --bindir)/../lib" \
		-ljson-c -lpgcommon -lpgport -lm -o "$out/fuzz_$target"
done
for target in $targets; do
	work=$out/corpus_$target
	mkdir -p "$work"
	echo "running $target for $seconds seconds"
	"$out/fuzz_$target" -max_total_time="$seconds" -max_len=65536 -timeout=10 \
		-rss_limit_mb=2048 -print_final_stats=1 -close_fd_mask=0 \
		-artifact_prefix="$out/" "$work" "test/fuzz/corpus/$target" \
		>"$out/$target.log" 2>&1 || {
		tail -40 "$out/$target.log"
		echo "finding in $target"
		exit 1
	}
	sed -n 's/^stat::number_of_executed_units: */executions: /p;
		s/^stat::new_units_added: */new inputs: /p' "$out/$target.log"
done
echo "no findings"
