/** One insert and one conditional update a transaction, synchronous FULL: what this disk gives, whoever asks. Argument: file, count. */
import { DatabaseSync } from '@photostructure/sqlite';

const [file = '', , count = '0'] = process.argv.slice(2);
const db = new DatabaseSync(file);
db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE p (id INTEGER PRIMARY KEY, generation INTEGER);
  CREATE TABLE a (id INTEGER PRIMARY KEY, used INTEGER); INSERT INTO p VALUES (1, 0)`);
const [begin, insert, update, commit] = [
  'BEGIN IMMEDIATE',
  'INSERT INTO a (used) VALUES (?)',
  'UPDATE p SET generation = generation + 1 WHERE id = 1 AND generation = ?',
  'COMMIT',
].map((text) => db.prepare(text));
const start = performance.now();
for (let i = 0; i < Number(count); i++) {
  begin!.run();
  insert!.run(i);
  update!.run(i);
  commit!.run();
}
const seconds = (performance.now() - start) / 1000;
db.close();
console.log(JSON.stringify({ count: Number(count), seconds, cpuSeconds: 0 }));
