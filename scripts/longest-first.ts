import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes minutes by itself: begun last, it would run on alone while the other worker has nothing left to do. */
const LONGEST = ['axe.e2e.ts', 'usage.e2e.ts', 'fault-matrix.test.ts', 'restore.test.ts']

const isLong = ({ moduleId }: TestSpecification): boolean => LONGEST.some((name) => moduleId.endsWith(`/${name}`))

/** The longest files first, then as vitest has it. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- vitest's own method of that name
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
