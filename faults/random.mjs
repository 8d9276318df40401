// Reproducible random numbers: every choice of a run comes from its seed.

/** A random source for one purpose. Sources with different names are independent, even with the same seed. */
export function random(seed, ...names) {
  // FNV-1a spreads the name over 32 bits, mulberry32 draws from them.
  let state = [seed, ...names]
    .join('/')
    .split('')
    .reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193), 0x811c9dc5);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  /** An integer between both bounds, inclusive. */
  const between = (low, high) => low + Math.floor(next() * (high - low + 1));
  const chance = (probability) => next() < probability;
  const pick = (list) => list[between(0, list.length - 1)];
  /** A random key of an object whose values are weights. */
  const weighted = (weights) => {
    let left = next() * Object.values(weights).reduce((sum, weight) => sum + weight, 0);
    return Object.keys(weights).find((name) => (left -= weights[name]) < 0) ?? Object.keys(weights)[0];
  };
  const ulid = () => `0${Array.from({ length: 25 }, () => pick('0123456789ABCDEFGHJKMNPQRSTVWXYZ')).join('')}`;
  return { between, chance, pick, weighted, ulid };
}
