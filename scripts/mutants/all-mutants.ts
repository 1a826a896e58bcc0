import { ENGINE_MUTANTS } from './engine-mutants.ts'
import { MONEY_MUTANTS } from './money-mutants.ts'
import type { Mutant } from './mutant.ts'
import { PROVIDER_MUTANTS } from './provider-mutants.ts'
import { SETTLE_MUTANTS } from './settle-mutants.ts'
import { STRIPE_MUTANTS } from './stripe-mutants.ts'

/** Every mistake that `npm run test:mutants` plants. */
export const ALL_MUTANTS: readonly Mutant[] = [
  ...ENGINE_MUTANTS,
  ...SETTLE_MUTANTS,
  ...MONEY_MUTANTS,
  ...PROVIDER_MUTANTS,
  ...STRIPE_MUTANTS,
]
