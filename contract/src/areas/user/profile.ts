import { type Static, Type } from 'typebox'
import { endpoint } from '../../kit/http/endpoint.ts'
import { nullable } from '../../kit/http/nullable.ts'
import { EMAIL_PATTERN } from '../sign-in.ts'

/** The locales that numbers and dates can be written in, whatever the browser says. */
export const NUMBER_LOCALES = [
  'en-AU',
  'en-CA',
  'en-GB',
  'en-IE',
  'en-IN',
  'en-NZ',
  'en-US',
  'en-ZA',
  'cs-CZ',
  'da-DK',
  'de-AT',
  'de-CH',
  'de-DE',
  'es-ES',
  'es-MX',
  'fi-FI',
  'fr-CA',
  'fr-CH',
  'fr-FR',
  'it-IT',
  'ja-JP',
  'ko-KR',
  'nb-NO',
  'nl-BE',
  'nl-NL',
  'pl-PL',
  'pt-BR',
  'pt-PT',
  'sv-SE',
  'zh-CN',
] as const

export type NumberLocale = (typeof NUMBER_LOCALES)[number]

/** What people choose for themselves. */
export const Choices = {
  numberLocale: nullable(Type.String({ description: "The locale of numbers and dates; null: the browser's" })),
  receiptEmail: nullable(Type.String({ description: 'What stands in “Email for the receipt” to begin with; null in a support session' })),
}

export const Profile = Type.Object({
  displayName: Type.String(),
  username: Type.String(),
  email: nullable(Type.String()),
  ...Choices,
})
export type Profile = Static<typeof Profile>

export const ProfileChoices = Type.Object(
  {
    numberLocale: Type.Unsafe<NumberLocale | null>({ type: ['string', 'null'], enum: [...NUMBER_LOCALES, null] }),
    receiptEmail: nullable(Type.String({ maxLength: 254, pattern: EMAIL_PATTERN })),
  },
  { additionalProperties: false },
)
export type ProfileChoices = Static<typeof ProfileChoices>

export const profile = {
  read: endpoint({
    method: 'GET',
    path: '/v1/ec/profile',
    access: 'user',
    summary: 'Name, user name and email of the signed-in user, and what the user has chosen',
    response: Profile,
  }),
  change: endpoint({
    method: 'PUT',
    path: '/v1/ec/profile',
    access: 'user',
    summary: 'Choose the locale of numbers and the address of receipts; null takes a choice back',
    notForSupport: 'A support session cannot change the profile.',
    body: ProfileChoices,
    response: Profile,
  }),
}
