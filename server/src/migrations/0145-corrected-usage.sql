-- compatible
-- A load of usage may correct records: it removes them, notes them as its import found them, and inserts them anew (docs/decisions/0023, 0096).
grant insert on import_change to counterfoil_loader;

-- What `import list` shows of an import; null for those of earlier versions.
alter table import add column file text, add column imported_by text, add column file_rows bigint;
