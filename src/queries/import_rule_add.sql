INSERT INTO sqlagent.rules
	(kind, name, description, calculation, solution, tables, proposed_by,
	 status, note)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
ON CONFLICT DO NOTHING
RETURNING id
