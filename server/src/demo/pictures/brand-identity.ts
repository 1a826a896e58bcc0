import type { Insertable } from 'kysely'
import type { BrandTable } from '../../db/tables/tenants.ts'
import type { MarkName } from './marks.ts'
import type { Motif } from './banner.ts'

/** The look of a reseller's brand. */
export interface Brand {
  readonly domain: string
  /** colour1 to colour7 (BRAND-01). */
  readonly colours: readonly [string, string, string, string, string, string, string]
  readonly itemLabel: string
  /** The flags that differ from the table's defaults, and the labels of its screens. */
  readonly flags?: Partial<Record<Extract<keyof BrandTable, `end_${'show' | 'portal'}_${string}`>, boolean>>
  readonly logo: Logo
  /** Where its customers find help; one demo brand says nothing. */
  readonly help?: Pick<Insertable<BrandTable>, 'help_email' | 'help_phone' | 'help_hours' | 'terms_url' | 'privacy_url'>
  readonly banner: { readonly from: string; readonly to: string; readonly motif: Motif }
}

export interface Logo {
  readonly mark: MarkName
  /** A middle tone with at least 3:1 on white and on near-black, so that one picture serves both schemes and print. */
  readonly ink: string
  readonly accent: string
  readonly words: readonly { readonly text: string; readonly weight: WordWeight }[]
  /** Extra space after each letter, in pixels of a logo 40 px high. */
  readonly spacing?: number
}

export type WordWeight = 'regular' | 'semibold' | 'extrabold'
