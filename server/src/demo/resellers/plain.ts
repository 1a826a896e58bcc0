import type { ResellerProfile } from '../profile.ts'
import { bundleTrio, calls, fixedTraffic } from './service-templates.ts'

/** The reseller without payments and with few sections. */
export const plain: ResellerProfile = {
  id: 3010,
  name: 'Plain Billing',
  user: { username: 'none', displayName: 'Sam Porter' },
  legalEntity: {
    name: 'Plain Billing Co.',
    number: 'EIN 00-5550140',
    addressLines: ['1 Main Street', 'Columbus, OH 43215', 'United States'],
    email: 'office@plain.example',
    phone: '(614) 555-0140',
  },
  currency: 'USD',
  currencySymbol: '$',
  invoicePrefix: 'PB',
  terms: 'Please pay by check or bank transfer within 21 days.',
  termDays: 21,
  payment: { type: 0, directDebitMethodId: null, takesDebits: false },
  taxes: [{ name: 'Ohio Sales Tax', rateMilli: 5750 }],
  brand: {
    domain: 'plain.example',
    colours: ['#ffffff', '#3b4754', '#22282e', '#d9dde1', '#f7f8f9', '#eef1f3', '#7c8a98'],
    itemLabel: 'Service Item',
    flags: {
      end_show_dashboard: false,
      end_show_transactions: false,
      end_show_reports: false,
      end_show_cost_centre: false,
      end_show_opening_balance: false,
    },
    logo: { mark: 'page', ink: '#6b7886', accent: '#98a4af', words: [{ text: 'plain billing', weight: 'regular' }] },
    banner: { from: '#5a6672', to: '#2b333b', motif: 'squares' },
  },
  utcOffset: -5,
  services: [
    fixedTraffic({
      name: 'Internet',
      itemLabel: 'Service Item',
      plan: { label: 'Internet', code: 'NET', feeMinor: 5000 },
      number: 'NET-####',
      records: [['Traffic', '0.01']],
    }),
    calls({
      name: 'Telephone',
      itemLabel: 'Service Item',
      plan: { label: 'Telephone Line', code: 'TEL', feeMinor: 2000 },
      number: '(614) 555-01##',
      records: [['Call', '0.02', '(216) 555-0126', '(513) 555-0168']],
    }),
  ],
  customers: [
    {
      label: 'Buckeye Hardware',
      reference: '1001',
      addressLines: ['25 Market Street', 'Dayton, OH 45402', 'United States'],
      agreements: ['Internet Agreement', 'Telephone Agreement'],
      sites: ['Store'],
      costCentres: ['STORE'],
      lines: [
        { count: 2, names: ['Store', 'Warehouse'] },
        { count: 5, names: ['Counter #', 'Desk of {name}'] },
      ],
      share: 100,
      bundles: bundleTrio(
        ['Traffic 1 TB', 'Traffic', 1000, 'GB'],
        ['Minutes 1,000', 'Calls', 1000, 'minutes'],
        ['Evening Minutes', 'Calls, evening', 200, 'minutes'],
      ),
    },
  ],
}
