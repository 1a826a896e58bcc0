import type { ResellerProfile } from '../profile.ts'
import { bundleTrio, calls, mobileData } from './service-templates.ts'

/** The reseller whose primary colour is too pale for text, which the portal has to adjust. */
export const outback: ResellerProfile = {
  id: 3009,
  name: 'Outback Connect',
  user: { username: 'bpoint', displayName: 'Lachlan Reid' },
  legalEntity: {
    name: 'Outback Connect Pty Ltd',
    number: 'ABN 53 555 010 309',
    addressLines: ['22 Telegraph Terrace', 'Alice Springs NT 0870', 'Australia'],
    email: 'billing@outback.example',
    phone: '1300 555 309',
  },
  currency: 'AUD',
  currencySymbol: 'A$',
  invoicePrefix: 'OBC',
  terms: 'Please pay within 21 days.',
  termDays: 21,
  payment: { type: 10, directDebitMethodId: 1, takesDebits: true },
  taxes: [{ name: 'GST', rateMilli: 10_000 }],
  brand: {
    domain: 'outback.example',
    colours: ['#fffdf6', '#ffe27a', '#33230f', '#e9dcc0', '#fbf7ec', '#fff3cd', '#f0b429'],
    itemLabel: 'Satellite Service',
    help: {
      help_email: 'billing@outback.example',
      help_phone: '1300 555 309',
      help_hours: 'Weekdays 8:30 am to 5 pm (Brisbane)',
      terms_url: 'https://www.outback.example/terms',
      privacy_url: 'https://www.outback.example/privacy',
    },
    logo: {
      mark: 'dune',
      ink: '#c05a1e',
      accent: '#e9a13b',
      words: [
        { text: 'Outback', weight: 'extrabold' },
        { text: 'Connect', weight: 'regular' },
      ],
    },
    banner: { from: '#e39a35', to: '#8a2d12', motif: 'dunes' },
  },
  utcOffset: 9,
  services: [
    mobileData({
      name: 'Satellite Broadband',
      itemLabel: 'Terminal',
      plan: { label: 'Station 50 GB', code: 'OBC-S50', feeMinor: 8900 },
      number: 'OBC-T-####',
      secondNumber: 'SN 77####0',
      records: [
        ['Satellite data, day', '0.001786', 'Beam 14', 'Beam 17'],
        ['Satellite data, night', '0.000457', 'Beam 14', 'Beam 17'],
      ],
    }),
    calls({
      name: 'Satellite Phone',
      itemLabel: 'Handset',
      plan: { label: 'Handset Basic', code: 'OBC-H', feeMinor: 3500 },
      number: '0491 573 ###',
      records: [
        ['Call to Australia', '0.385', '(08) 7010 1174', '0491 577 426'],
        ['Call to another handset', '0.155', '0491 573 770'],
      ],
    }),
  ],
  customers: [
    {
      label: 'Mulga Downs Pastoral Company',
      reference: 'OB-118',
      addressLines: ['Mulga Downs Station', 'via Alice Springs NT 0872', 'Australia'],
      agreements: ['Station Agreement', 'Handset Agreement'],
      sites: ['Homestead', 'Bore 9', 'Mustering camp'],
      costCentres: ['STATION', 'MUSTER'],
      lines: [
        { count: 5, names: ['Homestead', 'Bore #, level sensor', 'Camp terminal'] },
        { count: 4, names: ['Handset of {name}'] },
      ],
      share: 65,
      bundles: bundleTrio(
        ['Station Data 100 GB', 'Satellite data, day', 100, 'GB'],
        ['Handset Minutes', 'Calls to Australia', 400, 'minutes'],
        ['Night Data', 'Satellite data, night', 60, 'GB'],
      ),
    },
    {
      label: 'Red Centre School of the Air',
      reference: 'OB-127',
      addressLines: ['1 Correspondence Street', 'Alice Springs NT 0870', 'Australia'],
      agreements: ['Education Agreement', 'Handset Agreement'],
      sites: ['Studio', 'Field visits'],
      costCentres: ['TEACHING'],
      lines: [
        { count: 3, names: ['Studio #', 'Field kit #'] },
        { count: 2, names: ['Handset of {name}'] },
      ],
      share: 35,
      bundles: bundleTrio(
        ['Classroom Data 80 GB', 'Satellite data, day', 80, 'GB'],
        ['Handset Minutes', 'Calls to Australia', 200, 'minutes'],
        ['Night Data', 'Satellite data, night', 20, 'GB'],
      ),
    },
  ],
}
