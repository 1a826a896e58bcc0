import type { ResellerProfile } from '../profile.ts'
import { bundleTrio, calls, fixedTraffic } from './service-templates.ts'

export const southernCross: ResellerProfile = {
  id: 3007,
  name: 'Southern Cross Data',
  user: { username: 'pinch', displayName: 'Tane Wiremu' },
  legalEntity: {
    name: 'Southern Cross Data Pty Ltd',
    number: 'ABN 52 555 010 307',
    addressLines: ['41 Observatory Hill Road', 'Hobart TAS 7000', 'Australia'],
    email: 'hello@southerncross.example',
    phone: '1300 555 307',
  },
  currency: 'AUD',
  currencySymbol: 'A$',
  invoicePrefix: 'SCD',
  terms: 'Due within 14 days. Late accounts may be restricted.',
  termDays: 14,
  payment: { type: 6, directDebitMethodId: 1, takesDebits: true },
  taxes: [{ name: 'GST', rateMilli: 10_000 }],
  brand: {
    domain: 'southerncross.example',
    colours: ['#f8f9ff', '#3d3fb8', '#1b1c3a', '#d6d8ec', '#f4f5fc', '#e7e8fa', '#6a6de0'],
    itemLabel: 'Service',
    help: {
      help_email: 'hello@southerncross.example',
      help_phone: '1300 555 307',
      help_hours: 'Weekdays 9 am to 5 pm (Melbourne)',
      terms_url: 'https://www.southerncross.example/terms',
      privacy_url: 'https://www.southerncross.example/privacy',
    },
    logo: {
      mark: 'cross',
      ink: '#5f63d6',
      accent: '#ffd36b',
      words: [
        { text: 'Southern Cross', weight: 'semibold' },
        { text: ' Data', weight: 'regular' },
      ],
    },
    banner: { from: '#34379f', to: '#0b0d33', motif: 'sky' },
  },
  utcOffset: 10,
  services: [
    fixedTraffic({
      name: 'Fibre Internet',
      itemLabel: 'Service',
      plan: { label: 'Business Fibre 100/40', code: 'SCD-100', feeMinor: 11_900 },
      number: 'AVC0005550#####',
      records: [
        ['Traffic, peak', '0.021'],
        ['Traffic, off-peak', '0.0045'],
      ],
    }),
    calls({
      name: 'Hosted Phone',
      itemLabel: 'Number',
      plan: { label: 'Cloud Handset', code: 'SCD-CH', feeMinor: 1900 },
      number: '(03) 5550 ####',
      records: [
        ['Call to a landline', '0.0195', '(02) 7010 3385', '(03) 7010 9921'],
        ['Call to a mobile', '0.0485', '0491 578 148', '0491 578 888'],
      ],
    }),
  ],
  customers: [
    {
      label: 'Derwent Valley Cider Makers',
      reference: 'SC-4410',
      addressLines: ['Orchard Road', 'New Norfolk TAS 7140', 'Australia'],
      agreements: ['Internet Agreement', 'Phone Agreement'],
      sites: ['Press House', 'Cellar Door'],
      costCentres: ['PRODUCTION', 'HOSPITALITY'],
      lines: [
        { count: 3, names: ['Press House', 'Cellar Door', 'Cool store'] },
        { count: 7, names: ['Handset of {name}', 'Cellar Door #'] },
      ],
      share: 60,
      bundles: bundleTrio(
        ['Traffic 2 TB', 'Traffic, peak', 2000, 'GB'],
        ['Landline Calls', 'Landline minutes', 1500, 'minutes'],
        ['Mobile Calls', 'Mobile minutes', 600, 'minutes'],
      ),
    },
    {
      label: 'Mawson Street Physio',
      reference: 'SC-4432',
      addressLines: ['7 Mawson Street', 'Launceston TAS 7250', 'Australia'],
      agreements: ['Internet Agreement', 'Phone Agreement'],
      sites: ['Clinic'],
      costCentres: ['CLINIC'],
      lines: [
        { count: 1, names: ['Clinic'] },
        { count: 4, names: ['Reception', 'Room #'] },
      ],
      share: 40,
      bundles: bundleTrio(
        ['Traffic 1 TB', 'Traffic, peak', 1000, 'GB'],
        ['Landline Calls', 'Landline minutes', 800, 'minutes'],
        ['Mobile Calls', 'Mobile minutes', 300, 'minutes'],
      ),
    },
  ],
}
