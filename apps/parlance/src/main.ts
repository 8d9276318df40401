import { requireNode } from '@parlance/foundation/node';

requireNode();
await import('./command-line.ts');
