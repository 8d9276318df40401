import { eventStoreContract } from '../contract.ts';
import { onSqlite } from '../contract/on-sqlite.ts';

eventStoreContract('SQLite', () => onSqlite());
