import type { ResellerProfile } from '../profile.ts'
import { albion } from './albion.ts'
import { atlantic } from './atlantic.ts'
import { liberty } from './liberty.ts'
import { maple } from './maple.ts'
import { mesa } from './mesa.ts'
import { nimbus } from './nimbus.ts'
import { orbit } from './orbit.ts'
import { outback } from './outback.ts'
import { plain } from './plain.ts'
import { prairie } from './prairie.ts'
import { rhein } from './rhein.ts'
import { southernCross } from './southern-cross.ts'

/** The reseller with the most usage. Its existence means that the demo data exists. */
export const SHOWCASE = nimbus

/** The resellers of the demo data, in the order of their ids. */
export const RESELLERS: readonly ResellerProfile[] = [
  nimbus,
  atlantic,
  albion,
  rhein,
  liberty,
  prairie,
  maple,
  southernCross,
  mesa,
  outback,
  plain,
  orbit,
]
