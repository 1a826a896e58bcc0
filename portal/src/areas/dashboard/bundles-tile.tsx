import type { Bundle } from '@counterfoil/contract/dashboard'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { formatNumber } from '../../format/format.ts'
import { Meter } from '../../ui/chart/meter.tsx'
import { Tag } from '../../ui/feedback/tag.tsx'
import { Tile } from '../../ui/layout/tile.tsx'
import styles from './bundles.module.css'
import { keyed } from '../../ui/with-keys.ts'
import { bundlesQuery } from '../../api/dashboard.data.ts'
import { Waiting } from './tile-placeholder.tsx'

type Product = Bundle['bundle_products'][number]

/** A bundle's height in pixels: with one product, and what each further one adds (portal.md §9). */
const HEIGHT = 120
const HEIGHT_PER_PRODUCT = 70

/** What is used of each bundle. Bundles of different heights flow in columns of one surface, so that no hole is left between them. */
export const BundlesTile = () => {
  const { data, isFetching, isError, refetch } = useQuery(bundlesQuery())
  const wait = { isBusy: isFetching && !data, isFailed: isError, onAgain: () => void refetch() }
  if (data?.length === 0) return null
  return (
    <Tile title="Bundles" minHeight={wait.isBusy ? 184 : 0}>
      {data ? (
        <div className={styles.bundles}>
          {keyed(data, ({ bundleName }) => bundleName).map(({ key, item }) => (
            <BundlePart key={key} bundle={item} />
          ))}
        </div>
      ) : (
        <Waiting what="Bundles" wait={wait} />
      )}
    </Tile>
  )
}

const BundlePart = ({ bundle: { bundleName, bundle_products: products } }: { bundle: Bundle }) => {
  const id = useId()
  return (
    <section
      className={styles.bundle}
      style={{ minHeight: HEIGHT + HEIGHT_PER_PRODUCT * Math.max(0, products.length - 1) }}
      aria-labelledby={id}
    >
      <h3 id={id} className={styles.name}>
        {bundleName}
      </h3>
      {keyed(products, ({ productName, serviceItem }) => `${productName} ${serviceItem}`).map(({ key, item }) => (
        <ProductPart key={key} product={item} />
      ))}
    </section>
  )
}

const ProductPart = ({ product }: { product: Product }) => {
  const { productName, serviceItem, quantity, consumption, unitLabel } = product
  const over = consumption - quantity
  const reading = `${formatNumber(consumption)} of ${formatNumber(quantity)} ${unitLabel}`
  return (
    <div className={styles.product}>
      <p className={styles.line}>
        <span>{productName}</span>
        <b className={styles.reading}>{reading}</b>
      </p>
      <Meter
        label={serviceItem === '' ? productName : `${productName}, ${serviceItem}`}
        value={consumption}
        max={quantity}
        reading={reading}
      />
      <p className={styles.below}>
        <span>{serviceItem}</span>
        {over > 0 ? (
          <Tag tone="bad">{`Over by ${formatNumber(over)} ${unitLabel}`}</Tag>
        ) : (
          <span>{`${formatNumber(-over)} ${unitLabel} left`}</span>
        )}
      </p>
    </div>
  )
}
