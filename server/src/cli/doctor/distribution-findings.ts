import type { Store } from '../../db/database.ts'
import { distributedTroubles, type TroubleLimits } from '../../distribution/distribution-troubles.service.ts'
import { badFinding, type Finding, goodFinding, warningFinding } from './finding.ts'

/** The findings about usage on several machines: none where it is on one. */
export const distributionFindings = async (store: Store, limits: Partial<TroubleLimits> = {}): Promise<Finding[]> => {
  const troubles = await distributedTroubles(store, limits)
  if (troubles === null) return []
  if (troubles.length === 0) return [goodFinding('nodes', 'Usage is distributed; every node answers, and has what it should have.')]
  return troubles.map(({ about, isWarning, says, mend }) => (isWarning ? warningFinding : badFinding)(about, says, mend))
}
