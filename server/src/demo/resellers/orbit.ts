import type { ResellerProfile } from '../profile.ts'
import { bundleTrio, calls, hosting, mobileData } from './service-templates.ts'

/** The reseller with single sign-on, whose customers' users do not see their payment types. */
export const orbit: ResellerProfile = {
  id: 3011,
  name: 'Orbit Group',
  user: { username: 'sso', displayName: 'Noor Haddad' },
  legalEntity: {
    name: 'Orbit Group Holdings, Inc.',
    number: 'EIN 00-5550141',
    addressLines: ['1000 Meridian Plaza, Floor 31', 'Austin, TX 78701', 'United States'],
    email: 'finance@orbit.example',
    phone: '(512) 555-0141',
  },
  currency: 'USD',
  currencySymbol: '$',
  invoicePrefix: 'ORB',
  terms: 'Net 21 days. Questions: finance@orbit.example.',
  termDays: 21,
  payment: { type: 1, directDebitMethodId: 2, takesDebits: true, hidePaymentTypes: true },
  taxes: [
    { name: 'Texas Sales Tax', rateMilli: 6250 },
    { name: 'Texas Universal Service Charge', rateMilli: 3300 },
  ],
  brand: {
    domain: 'orbit.example',
    colours: ['#fbf8ff', '#8a1fa8', '#24152b', '#e2d6e8', '#f8f4fa', '#f3e4f8', '#b65fd0'],
    itemLabel: 'Subscription',
    help: {
      help_email: 'finance@orbit.example',
      help_phone: '(512) 555-0141',
      help_hours: 'Weekdays 8 am to 6 pm Central',
      terms_url: 'https://www.orbit.example/terms',
      privacy_url: 'https://www.orbit.example/privacy',
    },
    logo: { mark: 'orbit', ink: '#9d45b8', accent: '#2aa7a0', words: [{ text: 'orbit', weight: 'semibold' }], spacing: 0.6 },
    banner: { from: '#7a2496', to: '#14092f', motif: 'orbits' },
  },
  utcOffset: -6,
  services: [
    hosting({
      name: 'Cloud Desktop',
      itemLabel: 'Subscription',
      plan: { label: 'Cloud Desktop, standard', code: 'ORB-CD', feeMinor: 2750 },
      number: 'cd-5550-####',
      records: [
        ['Desktop hours', '0.0385', 'aus-1', 'dal-1'],
        ['Graphics hours', '0.275', 'dal-1'],
      ],
    }),
    mobileData({
      name: 'Mobility',
      itemLabel: 'Line',
      plan: { label: 'Mobility 8 GB', code: 'ORB-M8', feeMinor: 2950 },
      number: '(512) 555-01##',
      secondNumber: '310980#########',
      records: [
        ['Mobile data, domestic', '0.000557', 'web.orbit'],
        ['Mobile data, Mexico', '0.001257', 'MX, Sierra'],
      ],
    }),
    calls({
      name: 'Conferencing',
      itemLabel: 'Room',
      plan: { label: 'Meeting Room', code: 'ORB-ROOM', feeMinor: 1900 },
      number: 'room-5550-###',
      records: [['Dial-in minutes', '0.0145', '(737) 555-0106']],
    }),
  ],
  customers: [
    {
      label: 'Orbit Logistics',
      reference: 'ORB-01',
      addressLines: ['2200 Freight Loop', 'Dallas, TX 75201', 'United States'],
      agreements: ['Workplace Agreement', 'Conferencing Agreement'],
      sites: ['Dallas', 'Laredo'],
      costCentres: ['LOG-OPS', 'LOG-ADMIN'],
      lines: [
        { count: 9, names: ['Desktop of {name}'] },
        { count: 6, names: ['Phone of {name}', 'Dock scanner #'] },
        { count: 2, names: ['Meeting room #'] },
      ],
      share: 60,
      bundles: bundleTrio(
        ['Desktop 1,500 Hours', 'Desktop hours', 1500, 'hours'],
        ['Mobility Pool 60 GB', 'Mobile data, domestic', 60, 'GB'],
        ['Graphics 40 Hours', 'Graphics hours', 40, 'hours'],
      ),
    },
    {
      label: 'Orbit Research',
      reference: 'ORB-02',
      addressLines: ['9 Perigee Drive', 'Austin, TX 78702', 'United States'],
      agreements: ['Workplace Agreement', 'Conferencing Agreement'],
      sites: ['Austin'],
      costCentres: ['RND'],
      lines: [
        { count: 5, names: ['Desktop of {name}'] },
        { count: 3, names: ['Phone of {name}'] },
        { count: 1, names: ['Lab room'] },
      ],
      share: 40,
      bundles: bundleTrio(
        ['Desktop 800 Hours', 'Desktop hours', 800, 'hours'],
        ['Mobility Pool 30 GB', 'Mobile data, domestic', 30, 'GB'],
        ['Graphics 100 Hours', 'Graphics hours', 100, 'hours'],
      ),
    },
  ],
}
