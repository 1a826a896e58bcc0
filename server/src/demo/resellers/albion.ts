import type { ResellerProfile } from '../profile.ts'
import { bundleTrio, calls, fixedTraffic, mobileData } from './service-templates.ts'

export const albion: ResellerProfile = {
  id: 3002,
  name: 'Albion Telecom',
  user: { username: 'uk', displayName: 'Priya Whitfield' },
  legalEntity: {
    name: 'Albion Telecom Ltd',
    number: 'VAT GB 555 0100 02',
    addressLines: ['14 Foundry Wharf', 'Bristol BS1 0ZZ', 'United Kingdom'],
    email: 'accounts@albion.example',
    phone: '0117 496 0120',
  },
  currency: 'GBP',
  currencySymbol: '£',
  invoicePrefix: 'ALB',
  terms: 'Payment within 14 days. Direct Debit is collected on the due date.',
  termDays: 14,
  payment: { type: 1, directDebitMethodId: 3, takesDebits: true },
  taxes: [{ name: 'VAT', rateMilli: 20_000 }],
  brand: {
    domain: 'albion.example',
    colours: ['#fffaf5', '#9d1f3f', '#2a1d20', '#e3d5d3', '#faf5f2', '#f8e6e8', '#c4405f'],
    itemLabel: 'Line',
    help: {
      help_email: 'help@albion.example',
      help_phone: '0117 496 0120',
      help_hours: 'Monday to Friday, 8:30 to 18:00 (UK time)',
      terms_url: 'https://www.albion.example/terms',
      privacy_url: 'https://www.albion.example/privacy',
    },
    logo: {
      mark: 'summit',
      ink: '#bd4460',
      accent: '#e08a3c',
      words: [
        { text: 'ALBION', weight: 'semibold' },
        { text: ' TELECOM', weight: 'regular' },
      ],
      spacing: 1.4,
    },
    banner: { from: '#a32747', to: '#2e0a1d', motif: 'chevrons' },
  },
  utcOffset: 0,
  services: [
    mobileData({
      name: 'Mobile',
      itemLabel: 'Mobile Number',
      plan: { label: 'Business Mobile 20 GB', code: 'ALB-MOB-20', feeMinor: 1450 },
      number: '07700 900###',
      secondNumber: '234990#########',
      records: [
        ['Mobile data, UK', '0.000443', 'web.albion'],
        ['Mobile data, Europe', '0.0008', 'IE, Shannon', 'FR, Garonne'],
      ],
    }),
    calls({
      name: 'Calls',
      itemLabel: 'Line',
      plan: { label: 'Hosted Line', code: 'ALB-LINE', feeMinor: 875 },
      number: '0117 496 0###',
      records: [
        ['Call to UK landline', '0.0125', '020 7946 0418', '0113 496 0233'],
        ['Call to UK mobile', '0.0385', '07700 900317', '07700 900644'],
        ['Call to 08 number', '0.0715', '0808 157 0192'],
      ],
    }),
    fixedTraffic({
      name: 'Broadband',
      itemLabel: 'Circuit',
      plan: { label: 'Full Fibre 330', code: 'ALB-FF-330', feeMinor: 3900 },
      number: 'ALBN000#####',
      records: [['Traffic over fair use', '0.0185']],
    }),
  ],
  customers: [
    {
      label: 'Thistledown & Marsh Estate Agents',
      reference: 'ALB-2231',
      addressLines: ['2 Corn Row', 'Bath BA1 0ZZ', 'United Kingdom'],
      agreements: ['Mobile Agreement', 'Calls and Lines Agreement', 'Broadband Agreement'],
      sites: ['Bath', 'Frome'],
      costCentres: ['LETTINGS', 'SALES'],
      lines: [
        { count: 11, names: ['Mobile of {name}'] },
        { count: 6, names: ['Branch line #', 'Desk of {name}'] },
        { count: 2, names: ['Bath office', 'Frome office'] },
      ],
      share: 60,
      bundles: bundleTrio(
        ['Shared Data 200 GB', 'Mobile data, UK', 200, 'GB'],
        ['UK Minutes 5,000', 'UK landline and mobile', 5000, 'minutes'],
        ['Europe Pass', 'Mobile data, Europe', 12, 'GB'],
      ),
    },
    {
      label: 'Severn Bakery',
      reference: 'ALB-2240',
      addressLines: ['Unit 6, Mill Lane', 'Gloucester GL1 0ZZ', 'United Kingdom'],
      agreements: ['Mobile Agreement', 'Calls and Lines Agreement'],
      sites: ['Bakery', 'High Street'],
      costCentres: ['SHOP', 'VANS'],
      lines: [
        { count: 5, names: ['Van #, driver', 'Mobile of {name}'] },
        { count: 2, names: ['Shop line', 'Order line'] },
        { count: 1, names: ['Bakery'] },
      ],
      share: 40,
      bundles: bundleTrio(
        ['Shared Data 60 GB', 'Mobile data, UK', 60, 'GB'],
        ['UK Minutes 1,000', 'UK landline and mobile', 1000, 'minutes'],
        ['Europe Pass', 'Mobile data, Europe', 2, 'GB'],
      ),
    },
  ],
}
