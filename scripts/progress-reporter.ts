import { relative } from 'node:path'
import type { Reporter, SerializedError, TestModule, TestSpecification } from 'vitest/node'

/** The time of a file as `npm test` prints it: 0.4 s. */
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

/** Why a test failed: the message, which is cut short, and the values that differ. */
const reason = (error: { readonly message: string; readonly diff?: string } | undefined): string =>
  `${error?.message ?? ''}\n${error?.diff ?? ''}`.replaceAll(/^/gm, '    ')

/** Prints one line for each finished test file: how many are finished, in which project, its tests, its seconds; and the tests that failed. */
export default class ProgressReporter implements Reporter {
  #files = 0
  #finished = 0

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#files = specifications.length
  }

  onTestModuleEnd(module: TestModule): void {
    this.#finished += 1
    const tests = [...module.children.allTests()]
    const failed = tests.filter((test) => test.result().state === 'failed')
    const state = module.ok() ? '' : ' FAILED'
    const place = `${module.project.name} ${relative(process.cwd(), module.moduleId)}`
    console.log(`${this.#finished}/${this.#files} ${place}: ${tests.length} tests, ${seconds(module.diagnostic().duration)}${state}`)
    for (const test of failed) console.log(`    FAILED ${test.fullName}\n${reason(test.result().errors?.[0])}`)
  }

  onUserConsoleLog({ content }: { readonly content: string }): void {
    process.stdout.write(content)
  }

  /** Errors outside of a test are in no file's report. */
  onTestRunEnd(_modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    for (const { message, stack } of errors) console.error(`\nFAILED outside of a test: ${stack ?? message}`)
  }
}
