// What specs get when they import fast-check (tools/specs/modules.mjs). In CI, each run tries the same cases: a build that fails by chance says nothing about
// its change. Elsewhere the cases are random. FAST_CHECK_SEED repeats a failure, or makes CI try other cases.
import fc from '../node_modules/fast-check/lib/fast-check.js';

const SEED_OF_CI = 2211;
const chosen = process.env.FAST_CHECK_SEED ?? (process.env.CI ? SEED_OF_CI : undefined);
if (chosen !== undefined) fc.configureGlobal({ seed: Number(chosen) });

export default fc;
