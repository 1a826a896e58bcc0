import type { ResellerProfile } from '../profile.ts'
import { NIMBUS_SERVICES } from './nimbus-services.ts'

/** The showcase reseller, which uses every feature. */
export const nimbus: ResellerProfile = {
  id: 2204,
  name: 'Nimbus Mobile Data',
  user: { username: 'demo', displayName: 'Mara Holt' },
  legalEntity: {
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
    help: {
      help_email: 'help@nimbus.example',
      help_phone: '1300 555 010',
      help_hours: 'Weekdays 8 am to 8 pm, Saturday 9 am to 1 pm (Sydney)',
      terms_url: 'https://www.nimbus.example/terms',
      privacy_url: 'https://www.nimbus.example/privacy',
    },
    logo: {
      mark: 'cloud',
      ink: '#2a78d8',
      accent: '#bfe0ff',
      words: [
        { text: 'Nimbus', weight: 'semibold' },
        { text: ' Mobile Data', weight: 'regular' },
      ],
    },
    banner: { from: '#1567d3', to: '#06254f', motif: 'rings' },
  },
  transactionLabels: ['Order No.', 'Contract', 'Requested By', 'Asset Tag', 'Project'],
  utcOffset: 10,
  services: NIMBUS_SERVICES,
  customers: [
    {
      label: 'Harbourline Freight & Cold Chain Logistics (Australia) Pty Ltd',
      reference: 'C-220401',
      addressLines: ['Gate 4, 88 Container Road', 'Port Botany NSW 2036', 'Australia'],
      agreements: ['Fleet Mobility Agreement', 'Messaging and Voice Agreement', 'Pilot: Cold Chain Sensors'],
      sites: ['Port Botany', 'Moorebank', 'Altona North', 'Eagle Farm', 'Wingfield'],
      costCentres: ['FLEET-NSW', 'FLEET-VIC', 'FLEET-QLD', 'COLD-CHAIN', 'DEPOT-OPS', 'HEAD-OFFICE'],
      lines: [
        {
          count: 46,
          names: [
            'Truck 1##, dash camera',
            'Truck 1##, telematics',
            'Trailer 4##, reefer sensor',
            'Depot tablet 0##',
            'Yard gate 0##, camera',
          ],
        },
        { count: 9, names: ['Long-haul truck 3##', 'Tablet of {name}'] },
        { count: 6, names: ['Delivery alerts, route 0##', 'Driver roster'] },
        { count: 14, names: ['Desk of {name}', 'Dispatch desk 0##'] },
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
        { count: 18, names: ['Haul truck 0##', 'Weather mast 0##', 'Blast camera 0##'] },
        { count: 2, names: ['Tablet of {name}'] },
        { count: 3, names: ['Safety alerts, shift 0##'] },
        { count: 4, names: ['Desk of {name}'] },
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
        { count: 2, names: ['Office router', 'Van, tablet'] },
        { count: 1, names: ['Phone of {name}'] },
        { count: 1, names: ['Reminders'] },
        { count: 1, names: ['Front desk'] },
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
