import type { Bundle } from '@counterfoil/contract/dashboard'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { formatNumber } from '../../format/format.ts'
import { Meter } from '../../ui/chart/meter.tsx'
import { Tag } from '../../ui/feedback/tag.tsx'
import { Tile } from '../../ui/layout/tile.tsx'
import styles from './bundles.module.css'
import { withKeys } from '../../ui/with-keys.ts'
import { bundlesQuery } from '../../api/dashboard.data.ts'
import { TilePlaceholder } from './tile-placeholder.tsx'

type Product = Bundle['bundle_products'][number]

/** The minimum height of a bundle in pixels. */
const MIN_HEIGHT = 120
const MIN_HEIGHT_PER_FURTHER_PRODUCT = 70

/** The consumption of each bundle's products; no tile when there are no bundles. The bundles flow in columns without gaps (DASH-05). */
export const BundlesTile = () => {
  const { data, isFetching, isError, refetch } = useQuery(bundlesQuery())
  const loadState = { isBusy: isFetching && !data, isFailed: isError, onRetry: () => void refetch() }
  if (data?.length === 0) return null
  return (
    <Tile title="Bundles" minHeight={loadState.isBusy ? 184 : 0}>
      {data ? (
        <div className={styles.bundles}>
          {withKeys(data, ({ bundleName }) => bundleName).map(({ key, item }) => (
            <BundleSection key={key} bundle={item} />
          ))}
        </div>
      ) : (
        <TilePlaceholder subject="Bundles" loadState={loadState} />
      )}
    </Tile>
  )
}

/** A bundle's name over its products. */
const BundleSection = ({ bundle: { bundleName, bundle_products: products } }: { bundle: Bundle }) => {
  const id = useId()
  return (
    <section
      className={styles.bundle}
      style={{ minHeight: MIN_HEIGHT + MIN_HEIGHT_PER_FURTHER_PRODUCT * Math.max(0, products.length - 1) }}
      aria-labelledby={id}
    >
      <h3 id={id} className={styles.name}>
        {bundleName}
      </h3>
      {withKeys(products, ({ productName, serviceItem }) => `${productName} ${serviceItem}`).map(({ key, item }) => (
        <BundleProduct key={key} product={item} />
      ))}
    </section>
  )
}

/** How much of a product's quantity is used, as text and meter, and what is left or over. */
const BundleProduct = ({ product }: { product: Product }) => {
  const { productName, serviceItem, quantity, consumption, unitLabel } = product
  const excess = consumption - quantity
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
        valueText={reading}
      />
      <p className={styles.detail}>
        <span>{serviceItem}</span>
        {excess > 0 ? (
          <Tag tone="bad">{`Over by ${formatNumber(excess)} ${unitLabel}`}</Tag>
        ) : (
          <span>{`${formatNumber(-excess)} ${unitLabel} left`}</span>
        )}
      </p>
    </div>
  )
}
