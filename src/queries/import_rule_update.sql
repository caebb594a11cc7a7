UPDATE sqlagent.rules
SET description = $2, calculation = $3, solution = $4, tables = $5,
	status = $6, note = $7
WHERE id = $1
