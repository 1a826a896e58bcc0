import { formatMoney } from '../documents/pdf/print-format.ts'
import type { MailContent, Sender } from './mail-content.ts'
import { linkAddress } from './link-address.ts'
import type { Mail, MailKind } from './mail.queries.ts'
import type { ReceiptFacts } from './receipt-facts.ts'
import type { ReviewFacts } from './review-facts.ts'

/** What a template needs besides the mail itself. */
export interface TemplateVariables {
  readonly publicUrl: string
  /** The token at the end of the link in the mail. */
  readonly token: string
}

/** The template of each kind of mail. */
export const TEMPLATES: Readonly<Record<MailKind, (mail: Mail, parts: TemplateVariables) => MailContent>> = {
  reset: ({ username, displayName, brandName, domain }, { publicUrl, token }) => ({
    subject: `Choose a new password for ${brandName}`,
    greeting: `Hello ${displayName},`,
    intro: [`Somebody, we hope you, asked for a new password for the username ${username} at ${brandName}.`],
    action: { label: 'Choose a new password', address: linkAddress(domain, publicUrl, `/reset-password/${token}`) },
    closing: [
      'The link works once, within one hour.',
      'If it was not you who asked, there is nothing to do: your password stays as it is.',
      'Please do not forward this mail: whoever has the link can choose the password.',
    ],
  }),
  'password-changed': ({ username, displayName, brandName, domain, queuedAt }, { publicUrl }) => ({
    subject: `Your password for ${brandName} was changed`,
    greeting: `Hello ${displayName},`,
    intro: [
      `The password of the username ${username} at ${brandName} was changed on ${formatDayAndTime(queuedAt)}. Whoever was signed in elsewhere is signed out.`,
      'If that was you, there is nothing to do. If it was not, choose a new password at once, and please tell us.',
    ],
    action: { label: 'Choose a new password', address: linkAddress(domain, publicUrl, '/login#forgot-password') },
    closing: [],
  }),
  invitation: ({ username, displayName, brandName, legalName, domain }, { publicUrl, token }) => ({
    subject: `Finish your registration with ${brandName}`,
    greeting: `Hello ${displayName},`,
    intro: [
      `${legalName} has opened its billing portal to you. Your username there is ${username}.`,
      'Choose a password to finish your registration.',
    ],
    action: { label: 'Finish your registration', address: linkAddress(domain, publicUrl, `/finish-registration/${token}`) },
    closing: [
      'The link works once, within seven days.',
      'If you do not know what this is about, there is nothing to do: without a password nobody can sign in.',
      'Please do not forward this mail: whoever has the link can choose the password.',
    ],
  }),
  registered: ({ username, displayName, brandName, domain, queuedAt }, { publicUrl }) => ({
    subject: `Your registration with ${brandName} is complete`,
    greeting: `Hello ${displayName},`,
    intro: [
      `A password was chosen for the username ${username} at ${brandName} on ${formatDayAndTime(queuedAt)}. You can sign in with it now.`,
      'If it was not you who chose it, choose another at once, and please tell us.',
    ],
    action: { label: 'Sign in', address: linkAddress(domain, publicUrl, '/login') },
    closing: [],
  }),
  receipt: ({ brandName, legalName, domain, facts }, { publicUrl }) => ({
    subject: `Receipt for your payment to ${brandName}`,
    greeting: 'Hello,',
    intro: facts === null || 'attemptId' in facts ? [] : receiptLines(facts, legalName),
    action: { label: 'See your invoices', address: linkAddress(domain, publicUrl, '/invoices') },
    closing: ['Please keep this mail as your receipt.'],
  }),
  'needs-review': ({ legalName, facts }) =>
    facts === null || !('attemptId' in facts)
      ? { subject: 'A payment needs an operator', greeting: 'Hello,', intro: [], action: null, closing: [] }
      : {
          subject: `A payment of ${facts.amount} ${facts.currency} needs an operator`,
          greeting: 'Hello,',
          intro: reviewLines(facts, legalName),
          action: null,
          closing: [`All that needs an operator: counterfoil payments queue. This payment: counterfoil payments show ${facts.attemptId}.`],
        },
}

/** The paragraphs of the mail to an operator about a payment without a known outcome. */
const reviewLines = (
  { attemptId, merchantReference, provider, amount, currency, reference, whereToLook }: ReviewFacts,
  legalName: string,
): string[] => [
  `A payment of ${amount} ${currency} to ${legalName} through ${provider} (its payer knows it as ${reference}) has no known outcome, and the look-ups are used up. What it pays cannot be paid again until you say what became of it.`,
  `${whereToLook} Look for ${merchantReference}.`,
  `If it was paid: counterfoil payments settle ${attemptId} --as paid --reason "how you know". If not: counterfoil payments settle ${attemptId} --as failed --reason "how you know".`,
]

/** The paragraphs of a receipt. */
const receiptLines = ({ amount, fee, currency, symbol, invoices, reference, paidAt }: ReceiptFacts, legalName: string): string[] => [
  `We have received your payment of ${formatMoney(amount, { currencySymbol: symbol })}${symbol === currency ? '' : ` (${currency})`} to ${legalName} on ${paidAt}. Thank you.`,
  ...(invoices.length > 0 ? [`It pays ${invoices.join(', ')}.`] : []),
  ...(fee === null ? [] : [`It includes a fee of ${formatMoney(fee, { currencySymbol: symbol })}.`]),
  ...(reference === undefined ? [] : [`Its reference is ${reference}.`]),
]

/** How a mail shows its sender: the brand's name and colours, and in the footer the reseller's legal name and contact details. */
export const toSender = ({ brandName, legalName, contactEmail, contactPhone, colour2, colour3 }: Mail): Sender => ({
  name: brandName,
  lines: [legalName, [contactEmail, contactPhone].filter((part) => part !== null).join(' · ')].filter((line) => line !== ''),
  colour2,
  colour3,
})

/** An instant in UTC, as in "20 November 2026 at 12:00 UTC", which is unambiguous in every country. */
const formatDayAndTime = (at: Date): string => {
  const day = at.toLocaleDateString('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' })
  return `${day} at ${at.toISOString().slice(11, 16)} UTC`
}
