/** Set for every k6 that is started, so that it reports to nobody and fetches nothing by itself. */
export const K6_ENVIRONMENT = {
  K6_NO_USAGE_REPORT: 'true',
  K6_AUTO_EXTENSION_RESOLUTION: 'false',
} as const
