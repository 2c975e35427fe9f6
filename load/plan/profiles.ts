import type { ProfileName, ScenarioName, Settings } from './plan.ts'

/**
 * The settings of each scenario by profile. Rates are per second and times in seconds, unless stated otherwise;
 * `pollEvery` is the interval of search polls in milliseconds, at least a second on lasting deployments.
 *
 * - `smoke`: seconds, to see that everything works; `ci`: minutes in total; `staging`: for a deployment in real
 *   time
 */
export const SETTINGS: Record<ScenarioName, Record<ProfileName, Settings>> = {
  /**
   * `burst` concurrent requests of `vus` clients; `asks` requests of unaffected senders, and after the wait.
   * `overrunPerMinute` requests for `overrunMinutes` measure what every minute admits.
   */
  'rate-limit-burst': profiles(
    { burst: 520, vus: 25, asks: 5, overrunPerMinute: 720, overrunMinutes: 3, speed: 20 },
    { smoke: { overrunMinutes: 0 }, staging: { speed: 1 } },
  ),
  /** `perMinute` requests for `minutes`. If the clock can be moved, it runs `speed` times as fast. */
  'rate-limit-sustained': profiles(
    { perMinute: 480, minutes: 5, speed: 10 },
    { smoke: { minutes: 1.2, speed: 20 }, staging: { speed: 1 } },
  ),
  /** `rate` searches per second for `duration`, each polled every `pollEvery` milliseconds until it ends. */
  'search-polling': profiles(
    { rate: 4, duration: 15, pollEvery: 100, timeout: 310 },
    {
      smoke: { rate: 4, duration: 2 },
      staging: { rate: 0.2, duration: 120, pollEvery: 2000 },
    },
  ),
  /** `keys` keys and references, `rate` of them per second, each sent by `copies` concurrent requests. */
  'booking-contention': profiles(
    { keys: 1200, copies: 4, rate: 48, pollEvery: 100 },
    {
      smoke: { keys: 100, rate: 40 },
      staging: { keys: 100, rate: 1, pollEvery: 2000 },
    },
  ),
  /**
   * `each` requests of every call, `rate` per second. `scale` shortens the documented times (0.01: 30 s become 0.3
   * s).
   */
  timeouts: profiles(
    { each: 20, rate: 20, scale: 1, pollEvery: 100 },
    {
      smoke: { each: 2, rate: 5 },
      staging: { each: 10, rate: 1, pollEvery: 2000 },
    },
  ),
  /** `rate` journeys per second for `duration`. */
  'journey-mix': profiles(
    { rate: 25, duration: 30, pollEvery: 100 },
    {
      smoke: { rate: 10, duration: 2 },
      staging: { rate: 0.5, duration: 300, pollEvery: 2000 },
    },
  ),
  /** `rate`, then `spike` times as much for `during` seconds, then `rate` again. */
  spike: profiles(
    { rate: 8, spike: 5, before: 8, during: 8, after: 14, pollEvery: 100 },
    {
      smoke: { rate: 5, spike: 3, before: 1, during: 1, after: 1 },
      staging: { rate: 0.3, spike: 4, before: 60, during: 60, after: 180, pollEvery: 2000 },
    },
  ),
  /** From `from` to `to` journeys per second in `duration`. It fails when the 95th percentile exceeds `p95` ms. */
  breakpoint: profiles(
    { from: 5, to: 500, duration: 25, p95: 500, errorShare: 0.01, pollEvery: 100 },
    {
      smoke: { from: 5, to: 15, duration: 2 },
      staging: { from: 0.2, to: 2, duration: 600, p95: 2000, pollEvery: 2000 },
    },
  ),
  /** `rate` for `duration`. It compares the end with the beginning. */
  soak: profiles(
    { rate: 15, duration: 40, pollEvery: 100 },
    {
      smoke: { rate: 8, duration: 2 },
      staging: { rate: 0.5, duration: 1800, pollEvery: 2000 },
    },
  ),
}

/** Returns the settings of every profile: those of `ci`, with the differences of the others. */
function profiles(
  ci: Settings,
  others: Record<Exclude<ProfileName, 'ci'>, Settings>,
): Record<ProfileName, Settings> {
  return {
    ci,
    smoke: { ...ci, ...others.smoke },
    staging: { ...ci, ...others.staging },
  }
}
