import { contrast } from '@counterfoil/contract/kit/colour/colour'
import { expect, test } from 'vitest'
import { RESELLERS } from '../resellers/resellers.ts'

test.each(RESELLERS.map(({ name, brand }) => [name, brand] as const))(
  '[BRAND-01] the logo of %s reads on white paper, on its own header and in the dark scheme',
  (_name, { logo, colours }) => {
    for (const surface of ['#ffffff', '#151b23', colours[0]]) expect(contrast(logo.ink, surface), surface).toBeGreaterThanOrEqual(3)
  },
)
