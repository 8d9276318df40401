import { eventStoreContract } from '../../test/contract/contract.ts';
import { onSqlite } from '../../test/contract/on-sqlite.ts';

eventStoreContract('SQLite', () => onSqlite());
