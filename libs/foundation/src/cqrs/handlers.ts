import type { Provider } from '@nestjs/common';

/** The providers of commands and queries that were made by `aggregate` and `query`. */
export const handlersOf = (...messages: readonly { readonly handler: Provider }[]): Provider[] => messages.map(({ handler }) => handler);
