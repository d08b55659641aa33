/** A connection or a pool: TypeORM's data source and the manager of a transaction both are one. */
export interface Sql {
  query(text: string, parameters?: unknown[]): Promise<unknown>;
}

/** The rows of a statement; TypeORM gives them bare for SELECT and INSERT, and beside a count for UPDATE and DELETE. */
export async function rowsOf<Row>(sql: Sql, text: string, parameters: unknown[] = []): Promise<Row[]> {
  const answer = await sql.query(text, parameters);
  const [first] = answer as unknown[];
  return (Array.isArray(first) ? first : answer) as Row[];
}
