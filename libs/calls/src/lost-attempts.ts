/** Thrown by an attempt that could not connect in time. */
export class NotInTime extends Error {
  constructor() {
    super('no connection in time');
    this.name = 'NotInTime';
  }
}

/** Thrown when a replica that may have received the request no longer responds. */
export class NoSignOfLife extends Error {
  constructor() {
    super('the replica does not respond');
    this.name = 'NoSignOfLife';
  }
}

/** Thrown when a replica that is about to end has refused the request before any part of it was carried out. */
export class RefusedByLeaving extends Error {
  constructor() {
    super('the replica is about to end');
    this.name = 'RefusedByLeaving';
  }
}

interface NetworkError extends Error {
  readonly code?: string;
  readonly syscall?: string;
  readonly socket?: { readonly bytesRead?: number } | null;
}

/** Whether it is certain that no part of the request was carried out, because no connection was made or the replica is about to end. */
export function neverSent(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(neverSent);
  const { code, syscall } = error as NetworkError;
  return (
    error instanceof NotInTime ||
    error instanceof RefusedByLeaving ||
    code === 'UND_ERR_CONNECT_TIMEOUT' ||
    syscall === 'connect' ||
    syscall === 'getaddrinfo'
  );
}

/** Whether the connection ended before an answer began. */
export const gotLost = (error: unknown): boolean => /^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/.test((error as NetworkError).code ?? '');

/** Whether the connection had already carried answers; unknown for a plain reset. */
export const wasKept = (error: unknown): boolean => (error as NetworkError).socket?.bytesRead !== 0;
