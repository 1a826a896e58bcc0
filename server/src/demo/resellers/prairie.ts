import type { ResellerProfile } from '../profile.ts'
import { bundleTrio, calls, fixedTraffic, hosting } from './service-templates.ts'

export const prairie: ResellerProfile = {
  id: 3005,
  name: 'Prairie IP',
  user: { username: 'ippay', displayName: 'Caleb Norris' },
  legalEntity: {
    name: 'Prairie IP, Inc.',
    number: 'EIN 00-5550135',
    addressLines: ['12 Grain Exchange Plaza', 'Omaha, NE 68102', 'United States'],
    email: 'billing@prairie.example',
    phone: '(402) 555-0135',
  },
  currency: 'USD',
  currencySymbol: '$',
  invoicePrefix: 'PIP',
  terms: 'Due in 14 days. Thank you for choosing a local network.',
  termDays: 14,
  payment: { type: 4, directDebitMethodId: null, takesDebits: true },
  taxes: [
    { name: 'Nebraska Sales Tax', rateMilli: 5500 },
    { name: 'Nebraska Universal Service Fee', rateMilli: 1750 },
  ],
  brand: {
    domain: 'prairie.example',
    colours: ['#ffffff', '#4a7a12', '#20290f', '#dbe2cc', '#f7f9f1', '#eaf3da', '#7fb52b'],
    itemLabel: 'Circuit',
    help: {
      help_email: 'billing@prairie.example',
    },
    logo: {
      mark: 'sunrise',
      ink: '#5d8c1f',
      accent: '#e08c1c',
      words: [
        { text: 'Prairie', weight: 'semibold' },
        { text: ' IP', weight: 'extrabold' },
      ],
    },
    banner: { from: '#7a9a2c', to: '#2a4a16', motif: 'fields' },
  },
  utcOffset: -6,
  services: [
    fixedTraffic({
      name: 'Fiber Internet',
      itemLabel: 'Circuit',
      plan: { label: 'Business Fiber 500', code: 'PIP-F500', feeMinor: 14_900 },
      number: 'PIP-55501-###',
      records: [
        ['Traffic, metered', '0.0165'],
        ['Burst traffic', '0.0425'],
      ],
    }),
    calls({
      name: 'Voice over IP',
      itemLabel: 'Extension',
      plan: { label: 'Seat', code: 'PIP-SEAT', feeMinor: 1650 },
      number: '(402) 555-01##',
      records: [
        ['Local and long-distance call', '0.0115', '(308) 555-0129', '(515) 555-0171'],
        ['Toll-free inbound', '0.0225', '(800) 555-0182'],
      ],
    }),
    hosting({
      name: 'Colocation',
      itemLabel: 'Rack Unit',
      plan: { label: 'Rack Unit', code: 'PIP-RU', feeMinor: 4500 },
      number: 'OMA1-R##-U##',
      records: [['Remote hands', '1.25']],
    }),
  ],
  customers: [
    {
      label: 'Platte River Cooperative',
      reference: 'P-3301',
      addressLines: ['300 Elevator Road', 'Kearney, NE 68847', 'United States'],
      agreements: ['Connectivity Agreement', 'Voice and Hosting Agreement'],
      sites: ['Kearney', 'Lexington', 'Omaha data center'],
      costCentres: ['GRAIN', 'RETAIL', 'IT'],
      lines: [
        { count: 4, names: ['Elevator #', 'Head office'] },
        { count: 9, names: ['Desk of {name}', 'Scale house #'] },
        { count: 3, names: ['Server rack, unit #'] },
      ],
      share: 65,
      bundles: bundleTrio(
        ['Metered Traffic 5 TB', 'Traffic, metered', 5000, 'GB'],
        ['Long-Distance 2,000', 'Local and long-distance', 2000, 'minutes'],
        ['Burst 200 GB', 'Burst traffic', 200, 'GB'],
      ),
    },
    {
      label: 'Sandhills Public Library District',
      reference: 'P-3318',
      addressLines: ['18 Meadowlark Street', 'Valentine, NE 69201', 'United States'],
      agreements: ['Connectivity Agreement', 'Voice Agreement'],
      sites: ['Main library', 'Bookmobile'],
      costCentres: ['LIBRARY'],
      lines: [
        { count: 2, names: ['Main library', 'Branch #'] },
        { count: 4, names: ['Desk of {name}', 'Circulation'] },
        { count: 1, names: ['Catalog server'] },
      ],
      share: 35,
      bundles: bundleTrio(
        ['Metered Traffic 2 TB', 'Traffic, metered', 2000, 'GB'],
        ['Long-Distance 500', 'Local and long-distance', 500, 'minutes'],
        ['Burst 50 GB', 'Burst traffic', 50, 'GB'],
      ),
    },
  ],
}
