import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Test files that take minutes. Started last, one of them would still run when the other worker has nothing left to do. */
const LONGEST = [
  'provider-methods.e2e.ts',
  'axe.e2e.ts',
  'usage.e2e.ts',
  'fault-matrix.test.ts',
  'restore.test.ts',
  'provider-faults.test.ts',
]

const isLong = ({ moduleId }: TestSpecification): boolean => LONGEST.some((name) => moduleId.endsWith(`/${name}`))

/** Sorts the longest files first, the others as vitest does. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- vitest's own method of that name
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
