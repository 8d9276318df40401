import type { ComponentType } from 'react';
import { lazyPage } from '../../app/lazy-page.ts';
import type { pageFiles } from './page-files.ts';

/** An administration page that is loaded when it is opened. */
export const adminPage = (name: keyof typeof pageFiles) =>
  lazyPage(async (): Promise<Readonly<Record<string, ComponentType>>> => (await import('./page-files.ts')).pageFiles[name](), name);
