import { admin } from './en/admin.ts';
import { hookOf } from './index.ts';

/** The page names of the administration, loaded with its navigation. */
export const useAdminPageNames = hookOf('adminPages', admin.pages);
export type AdminPageNames = typeof admin.pages;
