import { parlance } from '../session/parlance.ts';

/** The second factors of the signed-in user. */
export const factorsQuery = { queryKey: ['second-factors'], queryFn: () => parlance.api.get('/user/me/factors') };
