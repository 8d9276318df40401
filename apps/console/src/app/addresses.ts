export const BASE_PATH = '/app';

/** The address of a page, for links outside of the router. */
export const hrefOf = (path: string): string => (path.startsWith('/') ? `${BASE_PATH}${path}` : path);
