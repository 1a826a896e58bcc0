import type { ResellerProfile } from '../profile.ts'
import { bundleTrio, calls, messages, mobileData } from './service-templates.ts'

export const maple: ResellerProfile = {
  id: 3006,
  name: 'Maple Cellular',
  user: { username: 'moneris', displayName: 'Élise Tremblay' },
  legalEntity: {
    name: 'Maple Cellular Inc.',
    number: 'GST/HST 55501 0006 RT0001',
    addressLines: ['700 Cedar Street', 'Vancouver, BC V6B 0A0', 'Canada'],
    email: 'billing@maple.example',
    phone: '604-555-0142',
  },
  currency: 'CAD',
  currencySymbol: 'CA$',
  invoicePrefix: 'MPL',
  terms: 'Due within 21 days of the invoice date.',
  termDays: 21,
  payment: { type: 5, rawCard: true, directDebitMethodId: null, takesDebits: false },
  taxes: [
    { name: 'GST', rateMilli: 5000 },
    { name: 'PST (BC)', rateMilli: 7000 },
  ],
  brand: {
    domain: 'maple.example',
    colours: ['#ffffff', '#d5341f', '#2b1c18', '#e8d9d3', '#fbf6f3', '#fdeae4', '#ef6a4b'],
    itemLabel: 'Wireless Number',
    help: {
      help_email: 'billing@maple.example',
      help_phone: '604-555-0142',
      help_hours: 'Weekdays 8 am to 5 pm Pacific',
      terms_url: 'https://www.maple.example/terms',
      privacy_url: 'https://www.maple.example/privacy',
    },
    logo: { mark: 'leaf', ink: '#d9482f', accent: '#ffd9cc', words: [{ text: 'Maple Cellular', weight: 'semibold' }] },
    banner: { from: '#dd4a2e', to: '#5a1226', motif: 'triangles' },
  },
  utcOffset: -8,
  services: [
    mobileData({
      name: 'Wireless',
      itemLabel: 'Wireless Number',
      plan: { label: 'Team Plan 15 GB', code: 'MPL-T15', feeMinor: 3800 },
      number: '604-555-01##',
      secondNumber: '302990#########',
      records: [
        ['Data, Canada', '0.000679', 'web.maple'],
        ['Data, United States', '0.002071', 'US, Great Lakes'],
      ],
    }),
    calls({
      name: 'Long Distance',
      itemLabel: 'Wireless Number',
      plan: { label: 'Long Distance Saver', code: 'MPL-LD', feeMinor: 500 },
      number: '778-555-01##',
      records: [
        ['Call within Canada', '0.0195', '416-555-0119', '514-555-0177'],
        ['Call to the United States', '0.0345', '206-555-0155'],
      ],
    }),
    messages({
      name: 'Text',
      itemLabel: 'Sender',
      plan: { label: 'Text Pack', code: 'MPL-TXT', feeMinor: 400 },
      number: '236-555-01##',
      records: [['Text, Canada', '0.0125']],
    }),
  ],
  customers: [
    {
      label: 'Strait & Sound Charters Ltd.',
      reference: 'M-5507',
      addressLines: ['18 Marina Walk', 'Victoria, BC V8V 0A0', 'Canada'],
      agreements: ['Team Agreement', 'Long Distance Agreement'],
      sites: ['Inner Harbour', 'Sidney Dock'],
      costCentres: ['VESSELS', 'SHORE'],
      lines: [
        { count: 9, names: ['Vessel 0#, bridge', 'Phone of {name}'] },
        { count: 4, names: ['Phone of {name}'] },
        { count: 1, names: ['Booking updates'] },
      ],
      share: 60,
      bundles: bundleTrio(
        ['Team Data 120 GB', 'Data, Canada', 120, 'GB'],
        ['Texts 2,000', 'Text, Canada', 2000, 'messages'],
        ['US Data 5 GB', 'Data, United States', 5, 'GB'],
      ),
    },
    {
      label: 'Georgian Bay Veterinary Hospital',
      reference: 'M-5519',
      addressLines: ['240 Lakeshore Drive', 'Collingwood, ON L9Y 0A0', 'Canada'],
      agreements: ['Team Agreement', 'Long Distance Agreement'],
      sites: ['Hospital'],
      costCentres: ['CLINIC', 'FIELD'],
      lines: [
        { count: 6, names: ['Field vet, {name}', 'Reception tablet'] },
        { count: 3, names: ['Phone of {name}'] },
        { count: 1, names: ['Appointment reminders'] },
      ],
      share: 40,
      taxes: [{ name: 'HST (ON)', rateMilli: 13_000 }],
      bundles: bundleTrio(
        ['Team Data 60 GB', 'Data, Canada', 60, 'GB'],
        ['Texts 1,000', 'Text, Canada', 1000, 'messages'],
        ['Long Distance 300', 'Calls within Canada', 300, 'minutes'],
      ),
    },
  ],
}
