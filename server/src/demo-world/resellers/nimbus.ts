import { HOURS, type ResellerProfile, type ServiceProfile } from '../profile.ts'

const ACCESS_POINTS = ['fleet.nimbus', 'telematics.nimbus', 'internet'] as const

const services: readonly ServiceProfile[] = [
  {
    name: '4G Data',
    itemLabel: 'Connection',
    plan: { label: 'Fleet Data 10 GB', code: 'NMB-4G-10', feeMinor: 2900 },
    agreement: 0,
    share: 70,
    unit: 'MB',
    hours: HOURS.fleet,
    isData: true,
    number: '0491 570 ###',
    secondNumber: '505017#########',
    records: [
      { description: '4G data, national', weight: 80, least: 2000, most: 760_000, fine: true, rate: '0.000575', peers: ACCESS_POINTS },
      { description: '4G data, off-peak', weight: 16, least: 5000, most: 1_100_000, fine: true, rate: '0.00021', peers: ACCESS_POINTS },
      { description: '4G data, priority', weight: 4, least: 1000, most: 320_000, fine: true, rate: '0.0014', peers: ['priority.nimbus'] },
    ],
  },
  {
    name: 'Roaming',
    itemLabel: 'Connection',
    plan: { label: 'Roaming Enabler', code: 'NMB-ROAM', feeMinor: 450 },
    agreement: 0,
    share: 6,
    unit: 'MB',
    hours: HOURS.office,
    number: '0491 571 ###',
    secondNumber: '505017#########',
    records: [
      { description: 'Roaming data, New Zealand', weight: 60, least: 100, most: 9_000, fine: true, rate: '0.048', peers: ['NZ, Aotea Mobile'] },
      { description: 'Roaming data, Asia', weight: 30, least: 100, most: 6_000, fine: true, rate: '0.0925', peers: ['SG, Merlion', 'JP, Hinode'] },
      { description: 'Roaming data, rest of world', weight: 10, least: 50, most: 2_500, fine: true, rate: '0.264', peers: ['US, Great Lakes', 'DE, Havel'] },
    ],
  },
  {
    name: 'SMS',
    itemLabel: 'Sender',
    plan: { label: 'SMS Gateway', code: 'NMB-SMS', feeMinor: 900 },
    agreement: 1,
    share: 14,
    unit: 'messages',
    hours: HOURS.office,
    number: '0491 572 ###',
    records: [
      { description: 'SMS, national', weight: 90, least: 1, most: 40, fine: false, rate: '0.0395' },
      { description: 'SMS, international', weight: 10, least: 1, most: 6, fine: false, rate: '0.1825', peers: ['NZ', 'GB', 'IN', 'PH'] },
    ],
  },
  {
    name: 'Voice',
    itemLabel: 'Number',
    plan: { label: 'Business Voice', code: 'NMB-VOICE', feeMinor: 1500 },
    agreement: 1,
    share: 10,
    unit: 'minutes',
    hours: HOURS.office,
    number: '(02) 5550 ####',
    records: [
      { description: 'Call to a landline', weight: 35, least: 200, most: 24_000, fine: true, rate: '0.0175', peers: ['(03) 7010 4418', '(07) 7010 2290', '(08) 7010 6643'] },
      { description: 'Call to a mobile', weight: 55, least: 200, most: 18_000, fine: true, rate: '0.0425', peers: ['0491 575 254', '0491 575 789', '0491 576 398'] },
      { description: 'Call to 13 and 1300', weight: 10, least: 500, most: 30_000, fine: true, rate: '0.025', peers: ['1300 975 707', '1300 975 711'] },
    ],
  },
]

/** The reseller that shows everything. */
export const nimbus: ResellerProfile = {
  id: 2204,
  name: 'Nimbus Mobile Data',
  user: { username: 'demo', displayName: 'Mara Holt' },
  company: {
    name: 'Nimbus Mobile Data Pty Ltd',
    number: 'ABN 51 555 010 204',
    addressLines: ['Level 9, 120 Wharf Street', 'Sydney NSW 2000', 'Australia'],
    email: 'accounts@nimbus.example',
    phone: '1300 555 010',
  },
  currency: 'AUD',
  currencySymbol: 'A$',
  invoicePrefix: 'NMB',
  terms: 'Payment is due within 14 days of the invoice date. Please quote the invoice number with your payment.',
  termDays: 14,
  payment: {
    type: 1,
    directDebitMethodId: 1,
    takesDebits: true,
    disclaimer: 'Cards and bank accounts are kept by our payment provider. We see the last four digits and nothing more.',
    consentMessage:
      'I authorise Nimbus Mobile Data to charge my default payment method for each invoice on its due date, until I withdraw this permission.',
  },
  taxes: [{ name: 'GST', rateMilli: 10_000 }],
  brand: {
    domain: 'nimbus.example',
    colours: ['#ffffff', '#1261c9', '#17222f', '#d5dde7', '#f3f6fa', '#e6effb', '#2f86f0'],
    itemLabel: 'Connection',
    flags: {
      end_show_usage_cost_centre: true,
      end_portal_transactions_extra_tab1: true,
      end_portal_transactions_extra_tab2: true,
      end_portal_transactions_extra_tab3: true,
      end_portal_transactions_extra_tab4: true,
      end_portal_transactions_extra_tab5: true,
    },
    logo: {
      mark: 'cloud',
      ink: '#2a78d8',
      accent: '#bfe0ff',
      words: [
        { text: 'Nimbus', weight: 'semibold' },
        { text: ' Mobile Data', weight: 'light' },
      ],
    },
    banner: { from: '#1567d3', to: '#06254f', motif: 'rings' },
  },
  transactionLabels: ['Order No.', 'Contract', 'Requested By', 'Asset Tag', 'Project'],
  utcOffset: 10,
  services,
  customers: [
    {
      label: 'Harbourline Freight & Cold Chain Logistics (Australia) Pty Ltd',
      reference: 'C-220401',
      addressLines: ['Gate 4, 88 Container Road', 'Port Botany NSW 2036', 'Australia'],
      agreements: ['Fleet Mobility Agreement', 'Messaging and Voice Agreement', 'Pilot: Cold Chain Sensors'],
      sites: ['Port Botany', 'Moorebank', 'Altona North', 'Eagle Farm', 'Wingfield'],
      costCentres: ['FLEET-NSW', 'FLEET-VIC', 'FLEET-QLD', 'COLD-CHAIN', 'DEPOT-OPS', 'HEAD-OFFICE'],
      lines: [
        { count: 46, called: ['Truck 1##, dash camera', 'Truck 1##, telematics', 'Trailer 4##, reefer sensor', 'Depot tablet 0##', 'Yard gate 0##, camera'] },
        { count: 9, called: ['Long-haul truck 3##', 'Tablet of {name}'] },
        { count: 6, called: ['Delivery alerts, route 0##', 'Driver roster'] },
        { count: 14, called: ['Desk of {name}', 'Dispatch desk 0##'] },
      ],
      share: 70,
      bundles: [
        {
          name: 'Fleet Data Pool 500 GB',
          products: [
            { name: '4G data, national', quantity: 500, unit: 'GB', usedPercent: 82.4 },
            { name: '4G data, off-peak', quantity: 200, unit: 'GB', usedPercent: 41 },
            { name: 'Roaming data', quantity: 20, unit: 'GB', usedPercent: 107.5 },
          ],
        },
        { name: 'Messaging 25,000', products: [{ name: 'SMS, national', quantity: 25_000, unit: 'messages', usedPercent: 61.3 }] },
        {
          name: 'Voice Included Minutes',
          products: [
            { name: 'Landline minutes', quantity: 3000, unit: 'minutes', usedPercent: 12.2 },
            { name: 'Mobile minutes', quantity: 1500, unit: 'minutes', usedPercent: 131.6, ofService: 3 },
          ],
        },
      ],
    },
    {
      label: 'Corella Mining Services',
      reference: 'C-220402',
      addressLines: ['Lot 7, Transport Avenue', 'Karratha WA 6714', 'Australia'],
      agreements: ['Remote Sites Agreement', 'Messaging and Voice Agreement'],
      sites: ['Karratha Base', 'Pit 3', 'Rail Loop'],
      costCentres: ['PIT-OPS', 'RAIL', 'SAFETY'],
      lines: [
        { count: 18, called: ['Haul truck 0##', 'Weather mast 0##', 'Blast camera 0##'] },
        { count: 2, called: ['Tablet of {name}'] },
        { count: 3, called: ['Safety alerts, shift 0##'] },
        { count: 4, called: ['Desk of {name}'] },
      ],
      share: 24,
      bundles: [
        { name: 'Site Data 150 GB', products: [{ name: '4G data, national', quantity: 150, unit: 'GB', usedPercent: 82 }] },
        { name: 'Alerts 5,000', products: [{ name: 'SMS, national', quantity: 5000, unit: 'messages', usedPercent: 18.6 }] },
        { name: 'Satellite Backup', products: [{ name: 'Backup data', quantity: 10, unit: 'GB', usedPercent: 118, ofService: 0 }] },
      ],
    },
    {
      label: 'Holt & Co',
      reference: 'C-220403',
      addressLines: ['3 Ferry Lane', 'Balmain NSW 2041', 'Australia'],
      agreements: ['Small Business Agreement', 'Voice Agreement'],
      sites: ['Balmain'],
      costCentres: ['OFFICE'],
      lines: [
        { count: 2, called: ['Office router', 'Van, tablet'] },
        { count: 1, called: ['Phone of {name}'] },
        { count: 1, called: ['Reminders'] },
        { count: 1, called: ['Front desk'] },
      ],
      share: 6,
      bundles: [
        { name: 'Office Data 40 GB', products: [{ name: '4G data, national', quantity: 40, unit: 'GB', usedPercent: 82.5 }] },
        { name: 'Reminders 500', products: [{ name: 'SMS, national', quantity: 500, unit: 'messages', usedPercent: 23.4 }] },
        { name: 'Roaming 1 GB', products: [{ name: 'Roaming data', quantity: 1, unit: 'GB', usedPercent: 112 }] },
      ],
    },
  ],
}
