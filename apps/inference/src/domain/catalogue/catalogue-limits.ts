/** Limits of what administrators add to the catalogue while Parlance runs. Everything is in one stream, and in the memory of each process. */
export const MOST_PROVIDERS = 100;
export const MOST_MODELS = 1_000;
export const MOST_ROUTES = 200;
export const MOST_TARGETS = 20;
export const MOST_FALLBACKS = 10;
export const MOST_CAPABILITIES = 20;
/** Prices that one request can set with a new model. */
export const MOST_FIRST_PRICES = 20;
