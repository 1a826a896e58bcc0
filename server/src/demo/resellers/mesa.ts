import type { ResellerProfile } from '../profile.ts'
import { bundleTrio, calls, hosting, mobileData } from './service-templates.ts'

export const mesa: ResellerProfile = {
  id: 3008,
  name: 'Mesa Networks',
  user: { username: 'nexio', displayName: 'Sofia Delgado' },
  legalEntity: {
    name: 'Mesa Networks, LLC',
    number: 'EIN 00-5550138',
    addressLines: ['501 Canyon Boulevard', 'Phoenix, AZ 85004', 'United States'],
    email: 'ar@mesa.example',
    phone: '(602) 555-0138',
  },
  currency: 'USD',
  currencySymbol: 'US$',
  invoicePrefix: 'MN',
  terms: 'Net 14 days.',
  termDays: 14,
  payment: { type: 8, rawCard: true, directDebitMethodId: 1, takesDebits: true },
  taxes: [
    { name: 'AZ Transaction Privilege Tax', rateMilli: 5600 },
    { name: 'Regulatory Recovery Fee', rateMilli: 1950 },
  ],
  brand: {
    domain: 'mesa.example',
    colours: ['#fffaf7', '#b4461b', '#2d201b', '#e6d6cc', '#f9f4f0', '#f9e5da', '#dd7038'],
    itemLabel: 'Device',
    help: {
      help_email: 'ar@mesa.example',
      terms_url: 'https://www.mesa.example/terms',
      privacy_url: 'https://www.mesa.example/privacy',
    },
    logo: { mark: 'mesa', ink: '#b9582f', accent: '#f6c9a2', words: [{ text: 'MESA NETWORKS', weight: 'extrabold' }], spacing: 0.8 },
    banner: { from: '#d9743c', to: '#4a1735', motif: 'mesas' },
  },
  utcOffset: -7,
  services: [
    mobileData({
      name: 'IoT Data',
      itemLabel: 'Device',
      plan: { label: 'Sensor 1 GB', code: 'MN-IOT-1', feeMinor: 425 },
      number: 'IMEI 35555501######',
      secondNumber: '8901990############',
      records: [
        ['LTE-M data', '0.0225', 'iot.mesa'],
        ['NB-IoT data', '0.0345', 'nb.mesa'],
      ],
    }),
    hosting({
      name: 'Edge Compute',
      itemLabel: 'Instance',
      plan: { label: 'Edge Node, small', code: 'MN-EDGE-S', feeMinor: 3900 },
      number: 'edge-phx-0##',
      records: [
        ['Compute hours', '0.0416', 'phx-1', 'tus-1'],
        ['GPU hours', '0.6125', 'phx-1'],
      ],
    }),
    calls({
      name: 'Alarm Voice',
      itemLabel: 'Number',
      plan: { label: 'Alarm Dialer', code: 'MN-ALM', feeMinor: 800 },
      number: '(602) 555-01##',
      records: [['Alarm call', '0.0185', '(480) 555-0112']],
    }),
  ],
  customers: [
    {
      label: 'Saguaro Solar Operations',
      reference: 'MN-2107',
      addressLines: ['77 Photon Way', 'Tucson, AZ 85701', 'United States'],
      agreements: ['IoT Agreement', 'Edge Agreement'],
      sites: ['Field A', 'Field B', 'Control room'],
      costCentres: ['FIELD', 'CONTROL'],
      lines: [
        { count: 16, names: ['Inverter 0##', 'Weather mast 0##', 'String monitor 0##'] },
        { count: 3, names: ['Forecast model', 'Video gate #'] },
        { count: 2, names: ['Alarm dialer, field #'] },
      ],
      share: 65,
      bundles: bundleTrio(
        ['Sensor Pool 20 GB', 'LTE-M data', 20, 'GB'],
        ['Compute 2,000 Hours', 'Compute hours', 2000, 'hours'],
        ['GPU 50 Hours', 'GPU hours', 50, 'hours'],
      ),
    },
    {
      label: 'Copper Basin Water District',
      reference: 'MN-2119',
      addressLines: ['4 Reservoir Road', 'Globe, AZ 85501', 'United States'],
      agreements: ['IoT Agreement', 'Edge Agreement'],
      sites: ['Plant', 'Wells'],
      costCentres: ['OPERATIONS'],
      lines: [
        { count: 8, names: ['Well ##, level', 'Pump ##, telemetry'] },
        { count: 1, names: ['Historian'] },
        { count: 1, names: ['Plant alarm'] },
      ],
      share: 35,
      bundles: bundleTrio(
        ['Sensor Pool 8 GB', 'LTE-M data', 8, 'GB'],
        ['Compute 750 Hours', 'Compute hours', 750, 'hours'],
        ['Alarm Minutes', 'Alarm calls', 60, 'minutes'],
      ),
    },
  ],
}
