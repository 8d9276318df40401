/** In the answers of a process that is about to end, so that other processes choose another replica. */
export const LEAVING_HEADER = 'x-parlance-leaving';

/** `refused`: no part of the request was carried out, so it may be sent to another replica. */
export type Leaving = 'soon' | 'refused';
