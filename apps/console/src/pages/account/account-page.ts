import type { ComponentType } from 'react';
import { lazyPage } from '../../app/lazy-page.ts';
import type { pageFiles } from './page-files.ts';

/** A page of the account that is loaded when it is opened. */
export const accountPage = (name: keyof typeof pageFiles) =>
  lazyPage(async (): Promise<Readonly<Record<string, ComponentType>>> => (await import('./page-files.ts')).pageFiles[name](), name);
