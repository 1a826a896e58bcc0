-- What the command line needs: taking a brand's picture away, so that brand 0's is shown again.
grant delete on brand_image to counterfoil_reseller;
