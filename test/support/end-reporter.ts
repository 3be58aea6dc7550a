import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import { type Suite, suite, suites } from './suites.ts';

/**
 * Ends a run with what may be far above: a line for each error, the tests that were skipped, and why, and the suites
 * that were not run. A test that is skipped without a reason fails the run.
 */
export function createEndReporter(): Reporter {
  let vitest: Vitest | undefined;
  return {
    onInit(context) {
      vitest = context;
    },
    onTestRunEnd(modules, unhandled) {
      const failed = modules.flatMap((module) =>
        [module, ...module.children.allSuites(), ...module.children.allTests('failed')].flatMap((task) => {
          const errors = task.type === 'test' ? (task.result().errors ?? []) : task.errors();
          const name = task.type === 'module' ? '' : ` > ${task.fullName}`;
          return errors.map(({ message }) => `  ${module.relativeModuleId}${name}: ${firstLine(message)}`);
        }),
      );
      const errors = [
        ...failed,
        ...unhandled.map(({ message, stack }) => `  outside of a test: ${stack ?? message}`),
      ];
      // Those that `-t` leaves out were not asked for.
      const isFiltered = vitest?.config.testNamePattern !== undefined;
      const skipped = isFiltered ? [] : modules.flatMap(skippedTests);
      const lines = skipped.map(({ name, reason }) => `  ${name}: ${reason ?? 'NO REASON GIVEN'}`);
      const others = (Object.keys(suites) as Suite[]).filter((name) => name !== suite);
      console.log(
        [
          ...(errors.length === 0 ? [] : ['Errors:', ...errors]),
          skipped.length === 0 ? 'Skipped: nothing.' : 'Skipped:',
          ...lines,
          'Not run:',
          ...others.map((name) => `  ${suites[name].command}, which needs ${suites[name].needs}`),
          ...(suite === 'exhaustive' ? [`To run this again: TEST_SEED=${process.env.TEST_SEED}`] : []),
        ].join('\n'),
      );
      if (skipped.some(({ reason }) => reason === undefined)) {
        console.log('A skipped test has to say why: see test/support/only.ts.');
        process.exitCode = 1;
      }
    },
  };
}

const firstLine = (text: string): string => text.split('\n', 1)[0] as string;

function skippedTests(module: TestModule): { name: string; reason: string | undefined }[] {
  return [...module.children.allTests('skipped')].map((test) => {
    const name = `${module.relativeModuleId} > ${test.fullName}`;
    const named = /^(.*) \[(needs [^\]]+)\](.*)$/.exec(name);
    return named === null
      ? { name, reason: noteOf(test) }
      : { name: `${named[1]}${named[3]}`, reason: named[2] };
  });
}

function noteOf(test: TestCase): string | undefined {
  const result = test.result();
  return result.state === 'skipped' ? result.note : undefined;
}
